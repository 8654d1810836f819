import { renderToString } from 'preact-render-to-string';
import { expect, test } from 'vitest';
import { AnswersSheet } from '../../../src/core/contract/answers-sheet.ts';
import { contractsOf, kinds } from '../../../src/core/contract/kinds.ts';
import { leavesOf } from '../../../src/core/mapping/schema.ts';
import { EvidenceItems } from '../../../src/web/pages/documents/evidence-item.tsx';
import { contentLines } from '../../../src/web/request/content-words.ts';
import { kindPages } from '../../../src/web/request/kind-pages.ts';
import { leafLabel } from '../../../src/web/request/labels.ts';
import { RequestSections } from '../../../src/web/request/print/request-table.tsx';
import { fullNameOf, requestOf } from '../../../src/web/request/print/shown-request.ts';
import { Technical } from '../../../src/web/ui/source.tsx';
import { testConfig } from '../support.ts';

const [site] = testConfig().sites;
const date = '2026-11-28T00:00:00.000000';

/** A body with this leaf alone, in the first item of each list. */
function bodyWith(leaf: string, value: unknown): unknown {
  return leaf
    .split('.')
    .reduceRight<unknown>(
      (inner, key) => (key.endsWith('[]') ? { [key.slice(0, -2)]: [inner] } : { [key]: inner }),
      value,
    );
}

const shownText = (body: unknown) => {
  const request = requestOf({ kind: 'prior-auth', site: site!, body, provenance: [] });
  return renderToString(<RequestSections request={request} prefix="sent" withSources />).replaceAll(/<[^>]+>/g, ' ');
};

/** A path, a name of a property, a reference, or an acronym that is written as a word: staff read none of them. */
const machineWords = new RegExp(
  [
    /[[\]_]|\w\.\w|\bfile content\b/,
    /\b(?!Rx(?:BIN|PCN|Grp|Norm)\b)\w*[a-z][A-Z]\w*/,
    /\b[A-Z][A-Za-z]+\/\w/,
    /\b(?:Bmi|Bsa|Dea|Icd|Id|Loinc|Mrn|Ndc|Npi|Nucc|Pcn|Pdf|Url)\b/,
  ]
    .map(({ source }) => source)
    .join('|'),
);

test.each(kinds)('no leaf of %s is shown under its path, and no date as the service writes it', (kind) => {
  const leaves = [...new Set(contractsOf[kind].flatMap((schema) => leavesOf(schema)))];
  for (const leaf of leaves) {
    const target = leaf.replaceAll('[]', '[0]');
    expect(fullNameOf(target, kindPages[kind].sections), leaf).not.toMatch(machineWords);
    const value = /date/.test(leaf) ? date : 'x';
    const { sections } = requestOf({ kind, site: site!, body: bodyWith(leaf, value), provenance: [] });
    for (const { label, text } of sections.flatMap((section) => section.leaves)) {
      expect(label, leaf).not.toMatch(machineWords);
      expect(text, leaf).not.toMatch(/\d{4}-\d{2}/);
    }
  }
});

test('a questionnaire of the bridge says what is asked, the answer, the day, and who wrote each', () => {
  const asked = { question: 'What is the diagnosis?', answer: 'Psoriasis', choices: ['Psoriasis', 'Other'] };
  const text = shownText({ questionnaires: [{ questions: [asked, asked], date_created: date }] });
  expect(text.replaceAll(/\s+/g, ' ')).toContain(
    'Questionnaire 1, question 2 What is the diagnosis? Added by this app ' +
      'Questionnaire 1, question 2: answer Psoriasis Stated by a person ' +
      'Questionnaire 1, question 2: choice 1 Psoriasis Added by this app ' +
      'Questionnaire 1, question 2: choice 2 Other Added by this app ' +
      'Questionnaire 1: date Nov 28, 2026 Added by this app',
  );
});

test('a question of several questionnaires is named with its own, where it is shown and where it is asked for', () => {
  const target = 'questionnaires[1].questions[6].answer';
  const asked = { question: 'Why?', answer: 'Because' };
  const text = shownText({ questionnaires: [{ questions: [asked] }, { questions: [asked] }] });
  expect(text.replaceAll(/\s+/g, ' ')).toMatch(/Questionnaire 1, question 1 Why.*Questionnaire 2, question 1 Why/);
  expect(leafLabel(target, kindPages['prior-auth'].sections)).toBe('Questionnaire 2, question 7: answer');
});

/** The content of the answers as a page shows it, to staff or to IT support. */
const shownAnswers = (content: unknown, isTechnical = false) =>
  renderToString(
    <Technical.Provider value={isTechnical}>
      <EvidenceItems items={[{ title: 'Answers', content }]} withSources={false} />
    </Technical.Provider>,
  )
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ');

const stated = ['cell', 'text', 'by', 'at'].map((name) => `stated[].${name}`);

test('everything that the answers have is shown to staff, and printed, in their words', () => {
  for (const leaf of [...leavesOf(AnswersSheet), 'sources.tests[]', ...stated]) {
    const value = /source/.test(leaf) ? 'Condition/steptx-dm' : /cell$/.test(leaf) ? 'on-label' : 'x';
    const content = bodyWith(leaf, value);
    expect(shownAnswers(content), leaf).not.toMatch(machineWords);
    expect(contentLines(content).join('\n'), leaf).not.toMatch(machineWords);
  }
});

test('a record that answers were read from is shown by its kind and day; its reference is for IT support', () => {
  const content = {
    diagnosis: [{ code: 'E11.9', recorded: '2026-05-03' }],
    tests: { results: [{ test: 'Hemoglobin A1c', date: '2026-06-04', source: 'Observation/a1c' }] },
    intolerance: [{ substance: 'Metformin', recorded: '2026-05-03', source: 'AllergyIntolerance/m' }],
    sources: { diagnosis: ['Condition/dm', 'Condition/other'], tests: ['Observation/a1c'] },
  };
  const text = shownAnswers(content);
  expect(text).toContain('Date Jun 4, 2026 Source Result of Jun 4, 2026');
  expect(text).toContain('Source Allergy list entry of May 3, 2026');
  expect(text).toContain('Sources Diagnosis Problem list (2) Tests Result of Jun 4, 2026');
  expect(shownAnswers(content, true)).toContain(
    'For IT support : Answers Observation/a1c, AllergyIntolerance/m, Condition/dm, Condition/other',
  );
  expect(contentLines(content).join()).not.toMatch(/source/i);
});

test('a number and a unit that repeat a value for machines are not shown', () => {
  const text = shownAnswers({ patient: { bmi: { value: '31.2 kg/m2', number: 31.2, unit: 'kg/m2' } } });
  expect(text.trim()).toMatch(/Patient BMI Value 31\.2 kg\/m2$/);
});
