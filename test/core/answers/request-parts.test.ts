import type { FhirResource } from 'fhir/r4.js';
import { describe, expect, test } from 'vitest';
import { answers } from '../../../mappings/index.ts';
import { withAnswers } from '../../../src/core/answers/request-parts.ts';
import { sentAnswersIn } from '../../../src/core/answers/sent-answers.ts';
import { answersSheet, type Statement } from '../../../src/core/answers/sheet.ts';
import { sentSheet, shownSheet } from '../../../src/core/answers/shown.ts';
import { CreatePriorAuthRequest as Current } from '../../../src/core/contract/current.ts';
import { CreatePriorAuthRequest as Documented } from '../../../src/core/contract/documented.ts';
import type { MappingResult } from '../../../src/core/mapping/result.ts';
import { parseTarget, valueAt } from '../../../src/core/mapping/target.ts';
import { fill, observed, order, sheetChart, statement } from './support.ts';

const drug = 'adalimumab 40 MG/0.8 ML Prefilled Syringe';
const methotrexate = 'methotrexate 2.5 MG Oral Tablet';
const hiv = { reasonCode: [{ text: 'HIV infection' }] };

const chart: readonly FhirResource[] = [
  fill('d1', methotrexate, '2025-03-04', 28),
  statement('s1', 'leflunomide 20 MG Oral Tablet', hiv),
  statement('s2', 'sulfasalazine 500 MG Oral Tablet', { statusReason: [{ text: 'Side effects' }] }),
  observed('tb', '71773-6', { valueCodeableConcept: { text: 'Negative' } }),
];

const said: Statement = {
  cell: 'rationale',
  text: 'Two drugs were tried.',
  by: 'Dana Whitfield, RN',
  at: '2026-11-21T14:00:00Z',
};

const sheetOf = (resources: readonly FhirResource[], statements: readonly Statement[] = []) =>
  answersSheet(answers, sheetChart(drug, resources), statements);

const request: MappingResult<unknown> = { status: 'complete', body: { evidence: [{}] }, provenance: [], gaps: [] };

function bodyOf(result: MappingResult<unknown>): unknown {
  return result.status === 'complete' ? result.body : result.draft;
}

describe('what goes of the sheet', () => {
  test('is no row that is sensitive, until a person ticks one of its resources', () => {
    const trialsShown = (ticked: ReadonlySet<string> = new Set()) =>
      shownSheet(sheetOf(chart), { ticked }).body.trials?.map((trial) => trial?.ingredient);
    expect(trialsShown()).toEqual(['methotrexate', 'sulfasalazine']);
    expect(trialsShown(new Set(['MedicationStatement/s1']))).toEqual(['leflunomide', 'methotrexate', 'sulfasalazine']);
  });

  test('never says why something is sensitive, nor what the chart lacks', () => {
    const { body } = shownSheet(sheetOf(chart), { ticked: new Set(['MedicationStatement/s1']) });
    expect(JSON.stringify(body)).not.toContain('HIV');
    expect(body.tests).not.toHaveProperty('missing');
  });

  test('has each place at the value that it is of', () => {
    const { body, places } = shownSheet(sheetOf(chart));
    expect(places.length).toBeGreaterThan(20);
    expect(places.filter(({ target, value }) => valueAt(body, parseTarget(target)) !== value)).toEqual([]);
    expect(places.find(({ target }) => target === 'trials[1].reasons[0]')?.source?.resource).toBe(
      'MedicationStatement/s2',
    );
  });
});

describe('a request of the profile documented', () => {
  const result = withAnswers(request, sheetOf(chart, [said]), { form: 'evidence', day: '2026-11-21' });

  test('has one more item of evidence, whose content is the sheet', () => {
    const item = valueAt(bodyOf(result), ['evidence', 1]);
    expect(item).toMatchObject({
      title: 'Answers',
      date_created: '2026-11-21T00:00:00.000000',
      content: {
        trials: [{ ingredient: 'methotrexate', days_covered: 28 }, { ingredient: 'sulfasalazine' }],
        sources: { trials: ['MedicationDispense/d1', 'MedicationStatement/s2'], tests: ['Observation/tb'] },
        stated: [said],
      },
    });
    expect(Documented.shape.evidence.safeParse([item]).success).toBe(true);
  });

  test('says of each value where it stands', () => {
    const places = new Map(result.provenance.map((one) => [one.target, one.source]));
    expect(places.get('evidence[1].content.trials[0].fills[0].days')).toEqual({
      resource: 'MedicationDispense/d1',
      path: 'MedicationDispense.daysSupply',
    });
  });

  test('stays as it is where the sheet has nothing to say', () => {
    const nothing = { cells: [], cell: () => ({}) as never };
    expect(withAnswers(request, nothing, { form: 'evidence', day: '2026-11-21' })).toBe(request);
  });
});

describe('a request of the profile current', () => {
  const result = withAnswers(request, sheetOf(chart, [said]), { form: 'questionnaires', day: '2026-11-21' });
  const questionnaire = valueAt(bodyOf(result), ['questionnaires', 0]);

  test('has a questionnaire with an answer in words for each cell that has one', () => {
    expect(Current.shape.questionnaires.safeParse([questionnaire]).success).toBe(true);
    expect(questionnaire).toMatchObject({
      questions: [
        {
          question: 'Is the patient new to this drug, or continuing it?',
          answer: 'new: the chart has no earlier order, statement, dispense or dose of it',
        },
        {
          question: 'Which other drugs were tried, for how long, and how did it end?',
          answer:
            'methotrexate 2.5 MG; from Mar 4, 2025; until Mar 31, 2025; 28 days covered\n' +
            'sulfasalazine 500 MG; from Mar 3, 2025; until Jun 30, 2025; about 120 days, as told; ' +
            'not tolerated: “Side effects”',
        },
        {
          question: 'Does the patient not tolerate other drugs?',
          answer: 'sulfasalazine 500 MG Oral Tablet; usually tried first; not tolerated; “Side effects”',
        },
        {
          question: 'What are the results of the tests?',
          answer: 'Tuberculosis screen: Negative on Oct 1, 2026 (51 days ago)',
        },
        { question: 'What are the dose, the quantity and the length of therapy?' },
        {
          question: 'Why is this drug needed, and not another one?',
          answer: 'Dana Whitfield, RN stated on Nov 21, 2026: Two drugs were tried.',
        },
      ],
    });
  });

  test('has no word of why a trial is not counted, nor of dates that contradict each other', () => {
    const chart = [
      order('r1', methotrexate),
      statement('s1', 'sulfasalazine 500 MG Oral Tablet', {
        effectivePeriod: { start: '2025-06-30', end: '2025-03-03' },
      }),
      fill('d1', 'ezetimibe 10 MG / simvastatin 40 MG Oral Tablet', '2025-03-04', 28),
    ];
    const { body, places } = sentSheet(sheetOf(chart));
    const kept = JSON.stringify([body.trials, places.map(({ target }) => target)]);
    expect(body.trials).toMatchObject([{ proof: 'ordered, not proved taken' }, { proof: 'stated' }]);
    expect(kept).not.toMatch(/not_counted|contradiction/);
  });

  test('has no word of ours that the chart gives no reason, and of samples only that they were given', () => {
    const stopped = statement('s1', 'sulfasalazine 500 MG Oral Tablet', { status: 'stopped' });
    const sample = fill('f1', `${drug} sample`, '2026-08-01', 14);
    const { body, places } = sentSheet(sheetOf([stopped, sample]));
    expect(body.trials).toMatchObject([{ remark: 'stopped' }]);
    expect(body.therapy).toMatchObject({ samples: 'samples were given' });
    expect(JSON.stringify([body, places])).not.toMatch(/unexplained|no reason|no beginning/);
  });

  test('is read again with its trials as a table: the drug, how it was taken, how it ended', () => {
    expect(sentAnswersIn(bodyOf(result))?.trials).toEqual([
      {
        drug: 'methotrexate 2.5 MG',
        taken: 'from Mar 4, 2025; until Mar 31, 2025; 28 days covered',
        ended: '',
      },
      {
        drug: 'sulfasalazine 500 MG',
        taken: 'from Mar 3, 2025; until Jun 30, 2025; about 120 days, as told',
        ended: 'not tolerated: “Side effects”',
      },
    ]);
  });

  test.each([
    ['methotrexate; 30 days covered; not counted: samples are no trial', 'not counted: samples are no trial'],
    ['methotrexate; 30 days covered; inadequate response, not tolerated', 'inadequate response, not tolerated'],
    ['methotrexate; 30 days covered; “hair loss; nausea”', '“hair loss; nausea”'],
    ['methotrexate; 30 days covered; stopped', 'stopped'],
  ])('tells how each trial ended: %s', (answer, ended) => {
    const question = 'Which other drugs were tried, for how long, and how did it end?';
    expect(sentAnswersIn({ questionnaires: [{ questions: [{ question, answer }] }] })?.trials).toEqual([
      { drug: 'methotrexate', taken: '30 days covered', ended },
    ]);
  });

  test('is read again as it went with version 0.1.0, with what is now told to staff alone', () => {
    const sent = { ingredient: 'methotrexate', proof: 'ordered, not proved taken', not_counted: 'no dose was given' };
    const content = { trials: [{ ...sent, relation: 'same class', sources: [] }], sources: {} };
    expect(sentAnswersIn({ evidence: [{ title: 'Answers', content }] })?.trials).toEqual([
      { drug: 'methotrexate', taken: 'ordered, not proved taken', ended: 'not counted: no dose was given' },
    ]);
  });

  test('cites each answer at the first of its places', () => {
    const [answer] = result.provenance.filter(({ target }) => target === 'questionnaires[0].questions[3].answer');
    expect(answer).toMatchObject({ kind: 'derived', source: { resource: 'Observation/tb' } });
  });
});
