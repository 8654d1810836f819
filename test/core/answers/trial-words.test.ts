import type { Dosage, FhirResource } from 'fhir/r4.js';
import { describe, expect, test } from 'vitest';
import { trialParts, trialText } from '../../../src/core/answers/answer-text.ts';
import { fill, given, order, resultFor, sheetFor, statement } from './support.ts';

const methotrexate = 'methotrexate 2.5 MG Oral Tablet';
const coded = (code: string) => ({ coding: [{ system: 'http://hl7.org/fhir/sid/icd-10-cm', code }] });

function trials(resources: readonly FhirResource[], drug = 'upadacitinib 15 MG Extended Release Oral Tablet') {
  return sheetFor(drug, resources, { focal: { reasonCode: [coded('M06.9')] } }).trials ?? [];
}

describe('the release of a trial', () => {
  const reason = { reasonCode: [coded('M06.9')] };
  const drugOf = (...names: readonly string[]) => {
    const chart = names.map((name, index) => statement(`s${index}`, name, reason));
    return trialParts(trials(chart)[0] ?? {}).drug;
  };

  test.each([
    ['tramadol ER 200 mg tablet', 'tramadol ER 200 mg'],
    ['24 HR metformin hydrochloride 500 MG Extended Release Oral Tablet', 'metformin 24 HR Extended Release 500 MG'],
    ['quetiapine XR 50 mg tablet', 'quetiapine XR 50 mg'],
    ['divalproex sodium DR 500 mg tablet', 'divalproex DR 500 mg'],
    ['Effexor XR 75 mg capsule', 'venlafaxine XR (Effexor) 75 mg'],
    ['tramadol 50 mg tablet', 'tramadol 50 mg'],
  ])('%s is in its name: %s', (name, drug) => {
    expect(drugOf(name)).toBe(drug);
  });

  test('of some of its products says that it is of some', () => {
    expect(drugOf('metformin 500 mg tablet', 'metformin ER 750 mg tablet')).toBe(
      'metformin 500 mg, 750 mg, in part ER',
    );
  });
});

describe('the directions of a trial', () => {
  const dosage: Dosage[] = [
    { sequence: 2, text: 'Then 6 tablets once a week' },
    { sequence: 1, text: '3 tablets once a week for 4 weeks' },
  ];
  const said = ['3 tablets once a week for 4 weeks', 'Then 6 tablets once a week'];

  test('are all those of an order, a statement or a dispense, in their sequence', () => {
    expect(trials([order('r1', methotrexate, { dosageInstruction: dosage })])).toMatchObject([{ directions: said }]);
    expect(trials([statement('s1', methotrexate, { dosage })])).toMatchObject([{ directions: said }]);
    const dispensed = fill('d1', methotrexate, '2025-03-04', 28, { dosageInstruction: dosage });
    expect(trials([dispensed])).toMatchObject([{ directions: said }]);
  });

  test('of a drug that is taken now are all of them, too', () => {
    const now = statement('s1', methotrexate, { dosage, status: 'active', effectivePeriod: { start: '2026-10-01' } });
    expect(sheetFor('upadacitinib', [now]).concurrent).toMatchObject([{ directions: said.join('; ') }]);
  });

  test('cite each at its own instruction', () => {
    const result = resultFor('upadacitinib', [order('r1', methotrexate, { dosageInstruction: dosage })]);
    const places = result.provenance.filter(({ target }) => target.startsWith('trials[0].directions'));
    expect(places.map(({ source }) => source?.path)).toEqual([
      'MedicationRequest.dosageInstruction[1].text',
      'MedicationRequest.dosageInstruction[0].text',
    ]);
  });
});

describe('a dose in numbers', () => {
  const weekly: Dosage = {
    timing: { repeat: { frequency: 1, period: 1, periodUnit: 'wk' } },
    doseAndRate: [{ doseQuantity: { value: 15, unit: 'mg' } }],
  };
  const directionsOf = (resource: FhirResource) => trials([resource])[0]?.directions;

  test('stands where an order or a statement has no words for it', () => {
    expect(directionsOf(order('r1', methotrexate, { dosageInstruction: [weekly] }))).toEqual(['15 mg once a week']);
    expect(directionsOf(statement('s1', methotrexate, { dosage: [weekly] }))).toEqual(['15 mg once a week']);
  });

  test.each([
    ['As directed', ['As directed', '15 mg once a week']],
    ['Take 6 tablets once a week', ['Take 6 tablets once a week']],
    ['15 mg each Monday', ['15 mg each Monday']],
  ])('stands behind words that leave it out: %s', (text, said) => {
    expect(directionsOf(statement('s1', methotrexate, { dosage: [{ ...weekly, text }] }))).toEqual(said);
  });

  test.each([
    [{ dose: { value: 300, unit: 'mg' } }, ['300 mg']],
    [{ text: 'IV over 2 hours', dose: { value: 300, unit: 'mg' } }, ['IV over 2 hours', '300 mg']],
    [{ text: '300 mg IV', dose: { value: 300, unit: 'mg' } }, ['300 mg IV']],
  ])('that was given is read: %j', (dosage, said) => {
    expect(directionsOf(given('g1', 'infliximab infusion', '2025-03-04', { dosage }))).toEqual(said);
  });

  test('cites its element', () => {
    const dosage = { dose: { value: 300, unit: 'mg' } };
    const { provenance } = resultFor('upadacitinib', [given('g1', 'infliximab infusion', '2025-03-04', { dosage })]);
    expect(provenance.find(({ target }) => target === 'trials[0].directions[0]')?.source?.path).toBe(
      'MedicationAdministration.dosage.dose',
    );
  });
});

describe('the dose that was given', () => {
  const infliximab = 'infliximab infusion';

  test('stands in its words, each once', () => {
    const doses = ['2025-03-04', '2025-03-18', '2025-04-15'].map((day, index) =>
      given(`g${index}`, infliximab, day, { dosage: { text: index < 2 ? '5 mg/kg IV' : '10 mg/kg IV' } }),
    );
    const [row] = trials(doses);
    expect(row).toMatchObject({ directions: ['5 mg/kg IV', '10 mg/kg IV'], times_given: 3 });
    expect(trialText(row ?? {})).toMatch(/^infliximab; 5 mg\/kg IV; 10 mg\/kg IV; from Mar 4, 2025/);
  });

  test('stands beside what the order says, and cites the dose', () => {
    const chart = [
      order('r1', infliximab, { dosageInstruction: [{ text: 'every 8 weeks' }] }),
      given('g1', infliximab, '2025-03-04', { dosage: { text: '5 mg/kg IV' } }),
    ];
    expect(trials(chart)).toMatchObject([{ directions: ['every 8 weeks', '5 mg/kg IV'] }]);
    const { provenance } = resultFor('upadacitinib', chart);
    expect(provenance.find(({ target }) => target === 'trials[0].directions[1]')?.source).toMatchObject({
      resource: 'MedicationAdministration/g1',
      path: 'MedicationAdministration.dosage.text',
    });
  });
});

describe('an end that the note of a dose or a fill tells', () => {
  const infliximab = 'infliximab infusion';
  const dose = (id: string, day: string, text?: string) =>
    given(id, infliximab, day, text === undefined ? {} : { note: [{ text }] });

  test('is that of the last one', () => {
    const lost = 'Last infusion. Loss of response, antibodies present.';
    expect(trials([dose('g1', '2025-03-04'), dose('g2', '2025-04-29', lost)])).toMatchObject([
      { outcome: ['inadequate response'], reasons: ['Loss of response, antibodies present'] },
    ]);
    expect(
      trials([fill('d1', methotrexate, '2025-03-04', 28, { note: [{ text: 'Stopped for nausea' }] })]),
    ).toMatchObject([{ outcome: ['not tolerated'], reasons: ['Stopped for nausea'] }]);
  });

  test('is not said twice where its words are those of its kind', () => {
    const endedOf = (text: string) => {
      const reason = { statusReason: [{ text }] };
      return trialParts(trials([statement('s1', methotrexate, { status: 'stopped', ...reason })])[0] ?? {}).ended;
    };
    expect(endedOf('Inadequate response')).toBe('inadequate response');
    expect(endedOf('Inadequate response at 12 weeks')).toBe('inadequate response: “Inadequate response at 12 weeks”');
  });

  test('has its words alone where they are of no kind', () => {
    const [row] = trials([dose('g1', '2025-03-04'), dose('g2', '2025-03-05', 'Response lasted 3 weeks')]);
    expect(row).toMatchObject({ reasons: ['Response lasted 3 weeks'] });
    // Nobody says that it was stopped.
    expect(row).not.toHaveProperty('remark');
    expect(row).not.toHaveProperty('outcome');
    expect(trialText(row ?? {})).toMatch(/; “Response lasted 3 weeks”$/);
  });

  test.each([
    ['of an earlier dose', [dose('g1', '2025-03-04', 'Infusion stopped for hives'), dose('g2', '2025-04-29')]],
    ['of a dose that was then completed', [dose('g1', '2025-03-04', 'Held for flushing, then resumed')]],
    [
      'of another product alone',
      [fill('d1', methotrexate, '2025-03-04', 28, { note: [{ text: 'Changed to generic' }] })],
    ],
    ['of a fill that still lasts', [fill('d1', methotrexate, '2026-11-12', 30, { note: [{ text: 'No relief yet' }] })]],
    [
      'of a drug whose order is open',
      [order('r1', infliximab, { status: 'active' }), dose('g1', '2025-03-04', 'Loss of response')],
    ],
    ['of another drug', [dose('g1', '2025-03-04', 'Methotrexate stopped for nausea')]],
  ])('is none in the note %s', (_of, chart) => {
    const [row] = trials(chart);
    expect(row).toBeDefined();
    expect(row).not.toHaveProperty('reasons');
  });

  test('is the reason of an order that states none', () => {
    const chart = [
      order('r1', methotrexate, { status: 'stopped' }),
      fill('d1', methotrexate, '2025-03-04', 28, { note: [{ text: 'Stopped for nausea' }] }),
    ];
    expect(trials(chart)).toMatchObject([{ outcome: ['not tolerated'] }]);
    expect(trials(chart)[0]).not.toHaveProperty('remark');
    const { intolerance } = sheetFor('upadacitinib', chart, { focal: { reasonCode: [coded('M06.9')] } });
    expect(intolerance).toMatchObject([{ type: 'not tolerated', reasons: ['Stopped for nausea'] }]);
  });
});

describe('an end that only a note tells', () => {
  const noted = (text: string, more: object = {}) =>
    trials([statement('s1', methotrexate, { status: 'stopped', note: [{ text }], ...more })])[0];

  test.each<[string, string, readonly string[] | undefined]>([
    ['Stopped for nausea', 'Stopped for nausea', ['not tolerated']],
    ['Taken daily. Discontinued due to rash. Seen by Dr. Lee', 'Discontinued due to rash', ['not tolerated']],
    ['Quit after 2 months, no relief', 'Quit after 2 months, no relief', ['inadequate response']],
    ['Failed after 3 months', 'Failed after 3 months', ['inadequate response']],
    ['Joints still swollen on it; did not help', 'did not help', ['inadequate response']],
    ["D/C'd because insurance denied", "D/C'd because insurance denied", ['stopped for another reason']],
    ['Switched to adalimumab for lack of effect', 'Switched to adalimumab for lack of effect', ['inadequate response']],
    ['Stopped, new job', 'Stopped, new job', undefined],
    [
      'Bought it. Some dryness, pimples about the same.',
      'Some dryness, pimples about the same',
      ['inadequate response'],
    ],
    ['Headaches as before', 'Headaches as before', ['inadequate response']],
    ['Joint pain stayed the same on it', 'Joint pain stayed the same on it', ['inadequate response']],
    ['Pain score unchanged', 'Pain score unchanged', ['inadequate response']],
    ['There was no real change in stiffness', 'There was no real change in stiffness', ['inadequate response']],
    ['Feels no different', 'Feels no different', ['inadequate response']],
    ['Pain unchanged despite a higher dose', 'Pain unchanged despite a higher dose', ['inadequate response']],
    ['No change in pain on treatment', 'No change in pain on treatment', ['inadequate response']],
    ['Used it for 3 months with no change', 'Used it for 3 months with no change', ['inadequate response']],
    ['The drug made no difference', 'The drug made no difference', ['inadequate response']],
    ['Dose raised, swelling the same as before', 'Dose raised, swelling the same as before', ['inadequate response']],
  ])('is in its words, with the kind that they say: %s', (text, reason, outcome) => {
    const row = noted(text);
    expect(row?.reasons).toEqual(expect.arrayContaining([reason]));
    expect(row?.outcome).toEqual(outcome);
    expect(trialText(row ?? {})).toContain(`“${reason}`);
  });

  test.each([
    'Dates as the patient gave them',
    'Office samples, one tube',
    'Stop if rash',
    'May be stopped later',
    'Not stopped for side effects',
    'Leflunomide stopped for nausea',
    'Denies nausea',
    'Flare',
    'Pain not the same, better',
    'Not as stiff as before',
    'Dose unchanged',
    'No change in dose',
    'No change to the current regimen',
    'Had no medication changes',
    'Taken unchanged',
    'No change',
    'Continue as before',
    'Works as well as before',
    'Insurance the same',
    'Taken at the same time each day',
    'Same as the other patient',
    'No different from placebo in the trial',
    'Adalimumab: pain about the same',
  ])('is none in other words: %s', (text) => {
    const row = noted(text);
    expect(row).not.toHaveProperty('reasons');
    expect(row).not.toHaveProperty('outcome');
  });

  test.each(['Nausea on the drug, did not help', 'Hair loss since starting it and attacks as before'])(
    'of two kinds, each of a part, has both: %s',
    (text) => {
      for (const row of [noted(text), noted('x', { statusReason: [{ text }] })]) {
        expect(row).toMatchObject({ reasons: [text], outcome: ['not tolerated', 'inadequate response'] });
        expect(trialText(row ?? {})).toMatch(`; not tolerated, inadequate response: “${text}”`);
      }
    },
  );

  test('of two kinds in one part has none, and stands in its words', () => {
    const text = 'Did not help the pain, nausea on the drug';
    const row = noted('x', { statusReason: [{ text }] });
    expect(row).toMatchObject({ reasons: [text], remark: 'stopped' });
    expect(row).not.toHaveProperty('outcome');
    expect(trialText(row ?? {})).toMatch(`; stopped: “${text}”`);
  });

  test('of two kinds is harm in the cell of intolerance', () => {
    const text = 'Hair loss; attacks as before';
    const stopped = order('r1', methotrexate, { status: 'stopped', statusReason: { text } });
    const { intolerance } = sheetFor('upadacitinib', [stopped], { focal: { reasonCode: [coded('M06.9')] } });
    expect(intolerance).toMatchObject([{ type: 'not tolerated', reasons: [text] }]);
  });

  test('is none of a drug that is still taken', () => {
    const row = noted('Stopped for nausea, then begun again', {
      status: 'active',
      effectivePeriod: { start: '2026-10-01' },
      dateAsserted: '2026-11-01',
    });
    expect(row).not.toHaveProperty('reasons');
  });

  test('of an order has its place, and is harm in the cell of intolerance', () => {
    const stopped = order('r1', methotrexate, {
      status: 'stopped',
      note: [{ text: 'x' }, { text: 'Stopped for nausea' }],
    });
    const result = resultFor('upadacitinib', [stopped], { focal: { reasonCode: [coded('M06.9')] } });
    const [place] = result.provenance.filter(({ target }) => target === 'trials[0].reasons[0]');
    expect(place?.source).toMatchObject({ resource: 'MedicationRequest/r1', path: 'MedicationRequest.note[1].text' });
    const { intolerance } = sheetFor('upadacitinib', [stopped], { focal: { reasonCode: [coded('M06.9')] } });
    expect(intolerance).toMatchObject([{ type: 'not tolerated', reasons: ['Stopped for nausea'] }]);
  });

  test('stands behind the reason that is stated', () => {
    const statusReason = [{ text: 'Side effects' }];
    expect(noted('Stopped for nausea', { statusReason })).toMatchObject({
      reasons: ['Side effects', 'Stopped for nausea'],
      outcome: ['not tolerated'],
    });
  });

  test('that is sensitive makes the row so', () => {
    expect(noted('Stopped because of HIV')).toMatchObject({ sensitive: 'HIV' });
  });
});
