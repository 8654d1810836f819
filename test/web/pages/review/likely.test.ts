import type { MedicationRequest } from 'fhir/r4.js';
import { afterEach, describe, expect, test } from 'vitest';
import { typedWord } from '../../../../mappings/typed-words.ts';
import { loadedCodes } from '../../code-tables.ts';
import { formOf, openScene, type Scene } from '../../support.ts';

let scene: Scene;
afterEach(() => scene?.app.close());

const review = () => `${scene.home}/orders/${scene.order}`;
const theCase = () => [...scene.cases.all.values()][0]!;

async function submit(changes: Record<string, string | string[]>) {
  const page = await scene.get(review());
  return scene.post(review(), { ...formOf(page.body, 'review'), ...changes });
}

const unit = 'prescription.dispense_unit';

/** The order counts what is dispensed without a unit. */
async function openWithoutUnit(): Promise<void> {
  scene = await openScene('story-complete');
  scene.resources = scene.resources.map((resource) => {
    if (resource.resourceType !== 'MedicationRequest') return resource;
    const order = resource as MedicationRequest;
    return { ...order, dispenseRequest: { ...order.dispenseRequest, quantity: { value: 2 } } };
  });
}

const answersFor = (page: string, target: string) =>
  [...page.matchAll(/<(?:button|input)[^>]*name="pick\.([^"]+)"[^>]*value="([^"]+)"/g)]
    .filter(([, name]) => name === target)
    .map(([, , value]) => value);

describe('likely answers', () => {
  test('of a dispense unit follow from the form, with the order’s amount; one click saves', async () => {
    await openWithoutUnit();
    const { body } = await scene.get(review());
    expect(answersFor(body, unit)).toEqual(expect.arrayContaining(['milliliter', 'pack']));
    expect(body).toContain('2 packs');
    await submit({ [`pick.${unit}`]: 'pack' });
    expect(theCase().edits[unit]).toBe('pack');
    expect(theCase().enteredBy?.[unit]).toBeDefined();
  });

  test.each([
    [unit, 'Vials', 'vial'],
    [unit, 'mL', 'milliliter'],
    [unit, 'pen', 'pen'],
    ['prescription.dose_form', 'tabs', 'tablet'],
    ['prescription.route_of_administration', 'PO', 'oral'],
  ])('what is typed in %s goes through the tables of the chart: %s is %s', async (target, typed, word) => {
    scene = await openScene('story-complete', (deps) => ({ ...deps, typedWord }));
    await submit({ [`f.${target}`]: typed });
    expect(theCase().edits[target]).toBe(word);
  });
});

describe('a diagnosis', () => {
  const rows = loadedCodes();
  const obesity = {
    ...rows,
    find: async () => [{ code: 'E66.9', title: 'Obesity, unspecified', billable: true }],
  };

  test('is offered for the order’s own words in the loaded file, each a button with its title', async () => {
    scene = await openScene('story-snomed-only', (deps) => ({ ...deps, codes: obesity }));
    const { body } = await scene.get(review());
    expect(body).toContain('Codes for “Obesity”');
    expect(body).toMatch(
      /<button type="submit" name="diagnosis" value="E66.9"[^>]*><strong>E66.9<\/strong> Obesity, un/,
    );
    await submit({ diagnosis: 'E66.9' });
    expect(theCase().answers.diagnoses).toEqual(['E66.9']);
  });

  test('says that no file is loaded, and promises no search', async () => {
    scene = await openScene('story-snomed-only');
    const { body } = await scene.get(review());
    expect(body).toContain('no ICD-10-CM file is loaded here');
    expect(body).not.toContain('or words to search');
  });
});
