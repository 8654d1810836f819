import { expect, test } from 'vitest';
import { formFaults } from '../support/form-faults.ts';

// Each page of a test is read for these (`openScene`, and in the browser `expectAccessible`).

const field = (attributes: string, label = 'City <span class="required">(required)</span>') =>
  `<label for="city">${label}</label><input id="city" name="city" ${attributes}>`;
const gap = (severity: string) => `<div class="gap ${severity}"><p id="city-gap">Enter the city.</p></div>`;
const radios = '<input type="radio" name="a" aria-label="One"><input type="radio" name="a" aria-label="Two">';
const asked = '<legend>Route <span class="required">(required)</span></legend>';

test.each([
  [
    'a heading with its subtitle',
    '<h1>Title <span class="sub">of what</span></h1>',
    ['the h1 is more than a title: Title of what'],
  ],
  ['a title with a line under it', '<hgroup><h1>Title</h1><p class="sub">of what</p></hgroup>', []],
  ['a required field that does not say so', field(''), ['not marked as required: City (required)']],
  ['a required field', field('required'), []],
  ['a field that a draft may leave empty', field('aria-required="true"'), []],
  [
    'a group of radio buttons that cannot say so',
    `<fieldset aria-required="true">${asked}${radios}</fieldset>`,
    ['not marked as required: Route (required)'],
  ],
  ['a required choice', `<fieldset role="radiogroup" aria-required="true">${asked}${radios}</fieldset>`, []],
  ['a message that is of no field', field('', 'City') + gap('blocks'), ['no field is described by: Enter the city.']],
  [
    'a message of a field that is not said to be wrong',
    field('aria-describedby="city-gap"', 'City') + gap('blocks'),
    ['no field is invalid by: Enter the city.'],
  ],
  ['a wrong field', field('aria-invalid="true" aria-describedby="city-gap"', 'City') + gap('blocks'), []],
  ['a warning', field('aria-describedby="city-gap"', 'City') + gap('warns'), []],
  [
    'an alert before a form, of no field',
    `<p role="alert">Enter the city.</p><form>${field('', 'City')}</form>`,
    ['no field is described by: Enter the city.'],
  ],
  ['a control without a name', '<button></button>', ['no name: button undefined']],
  ['two controls of one name', '<button>Save</button><button>Save</button>', ['2 controls are named Save']],
  [
    'two controls of one name in groups of two names',
    '<section aria-label="A"><button>Save</button></section><section aria-label="B"><button>Save</button></section>',
    [],
  ],
])('%s', (_, html, faults) => {
  expect(formFaults(html)).toEqual(faults);
});
