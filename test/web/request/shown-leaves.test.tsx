import { renderToString } from 'preact-render-to-string';
import { expect, test } from 'vitest';
import { contractsOf, kinds } from '../../../src/core/contract/kinds.ts';
import { leavesOf } from '../../../src/core/mapping/schema.ts';
import { kindPages } from '../../../src/web/request/kind-pages.ts';
import { RequestSections } from '../../../src/web/request/print/request-table.tsx';
import { fullNameOf, requestOf } from '../../../src/web/request/print/shown-request.ts';
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

test.each(kinds)('no leaf of %s is shown under its path, and no date as the service writes it', (kind) => {
  const leaves = [...new Set(contractsOf[kind].flatMap((schema) => leavesOf(schema)))];
  const isPath = /[[\]_]|\w\.\w|\bfile content\b/;
  for (const leaf of leaves) {
    const target = leaf.replaceAll('[]', '[0]');
    expect(fullNameOf(target, kindPages[kind].sections), leaf).not.toMatch(isPath);
    const value = /date/.test(leaf) ? date : 'x';
    const { sections } = requestOf({ kind, site: site!, body: bodyWith(leaf, value), provenance: [] });
    for (const { label, text } of sections.flatMap((section) => section.leaves)) {
      expect(label, leaf).not.toMatch(isPath);
      expect(text, leaf).not.toMatch(/\d{4}-\d{2}/);
    }
  }
});

test('a questionnaire of the bridge says what is asked, the answer, the day, and who wrote each', () => {
  const asked = { question: 'What is the diagnosis?', answer: 'Psoriasis', choices: ['Psoriasis', 'Other'] };
  const text = shownText({ questionnaires: [{ questions: [asked, asked], date_created: date }] });
  expect(text.replaceAll(/\s+/g, ' ')).toContain(
    'Question 2 What is the diagnosis? Added by this app ' +
      'Question 2: answer Psoriasis Stated by a person ' +
      'Question 2: choice 1 Psoriasis Added by this app Question 2: choice 2 Other Added by this app ' +
      'Questionnaire 1: date Nov 28, 2026 Added by this app',
  );
});
