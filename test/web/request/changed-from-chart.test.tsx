import { renderToString } from 'preact-render-to-string';
import { expect, test } from 'vitest';
import type { Gap, Provenance } from '../../../src/core/mapping/result.ts';
import { withChosenWords } from '../../../src/web/request/chosen.ts';
import { kindPages } from '../../../src/web/request/kind-pages.ts';
import { notTakenIn, proposedIn } from '../../../src/web/request/not-taken.ts';
import { ChangedFromChart } from '../../../src/web/request/print/changed-from-chart.tsx';
import { RequestSections } from '../../../src/web/request/print/request-table.tsx';
import { requestOf } from '../../../src/web/request/print/shown-request.ts';
import { Field } from '../../../src/web/ui/field.tsx';
import { testConfig } from '../support.ts';

const target = 'prescription.dispense_unit';
const offer = { value: 'milliliter', label: 'milliliter', reason: 'not certain: what the dose form is counted in' };
const entered = (more: Partial<Provenance> = {}): Provenance => ({ target, kind: 'entered', rule: 'r', ...more });
const gapOf = (reason: Gap['reason'], options = [offer]) =>
  ({ target, severity: 'blocks', reason, message: 'x', looks: [], options }) as unknown as Gap;
const alone = { status: 'incomplete', draft: {}, provenance: [] } as const;
const plain = (html: string) => html.replaceAll(/<[^>]+>/g, '');

function changedText(provenance: Provenance, gaps: readonly Gap[] = []): string {
  const [site] = testConfig().sites;
  const draft = { provenance: new Map([[target, provenance]]), chartResult: { ...alone, gaps } };
  const body = { prescription: { dispense_unit: 'pack' } };
  const request = requestOf({ kind: 'prior-auth', site: site!, body, provenance: [provenance] });
  const [taken, proposed] = [notTakenIn(draft), proposedIn(draft)];
  const { sections } = kindPages['prior-auth'];
  const props = { request, sections, enteredBy: {}, notTaken: taken, proposed, zone: 'UTC' };
  return plain(renderToString(<ChangedFromChart {...props} />));
}

test.each(['missing', 'uncertain', 'invalid', 'unconfirmed'] as const)(
  'what was only offered for a value that is %s is not what the chart says',
  (reason) => {
    expect(changedText(entered(), [gapOf(reason)])).toBe(
      'Prescription: Dispense unit: “pack”; proposed was “milliliter” (not certain: what the dose form is counted in)',
    );
  },
);

test('the readings of a chart that says two things are what it says', () => {
  expect(changedText(entered(), [gapOf('choice')])).toContain('“pack”; the chart says “milliliter”');
});

test.each([
  [undefined, 'from “milliliter” to “pack”', 'the chart had “milliliter”'],
  ['derived', '“pack”; calculated from the chart was “milliliter”', 'calculated from the chart was “milliliter”'],
  ['proposed', '“pack”; proposed from the chart was “milliliter”', 'proposed from the chart was “milliliter”'],
  ['site', '“pack”; the site settings have “milliliter”', 'the site settings have “milliliter”'],
  ['constant', '“pack”; the standard value is “milliliter”', 'the standard value is “milliliter”'],
] as const)('an entry in place of a value of the kind %s says what that was', (replacedKind, changed, origin) => {
  const provenance = entered({ replaces: 'milliliter', ...(replacedKind === undefined ? {} : { replacedKind }) });
  expect(changedText(provenance)).toContain(changed);
  const [site] = testConfig().sites;
  const body = { prescription: { dispense_unit: 'pack' } };
  const request = requestOf({ kind: 'prior-auth', site: site!, body, provenance: [provenance] });
  expect(plain(renderToString(<RequestSections request={request} prefix="sent" withSources />))).toContain(
    `Entered by a person, ${origin}`,
  );
  const spec = kindPages['prior-auth'].sections.flatMap(({ fields }) => fields).find((one) => one.target === target);
  const field = { spec: spec!, value: 'pack', chartValue: 'milliliter', provenance, gaps: [], choices: [] };
  const beside = plain(renderToString(<Field {...field} />));
  expect(beside.includes('The chart says')).toBe(replacedKind === undefined);
  expect(beside.includes('Use the chart’s value again')).toBe(replacedKind === undefined);
});

test('a chosen offer is not called one of the chart', () => {
  const values = new Map([[target, 'milliliter']]);
  const noteFor = (reason: Gap['reason']) => withChosenWords([entered()], [gapOf(reason)], values)[0]?.note;
  expect(noteFor('missing')).toBe('chosen from what was proposed; not certain: what the dose form is counted in');
  expect(noteFor('choice')).toContain('chosen between what the chart says');
});
