import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Case } from '../../src/cases/case.ts';
import { worklistStanding } from '../../src/cases/worklist-entry.ts';
import type { Outcome } from '../../src/core/contract/prior-authorization.ts';
import { benefitErrors } from '../../src/service/benefits.ts';
import { outcomeTable } from '../../src/service/outcome-words.ts';
import { statusRules } from '../../src/service/statuses.ts';
import { chart, enrollmentStates, states } from '../../src/web/pages/case/words.ts';
import { waitsText, worklistWords } from '../../src/web/pages/worklist/words.ts';
import { standingOf } from '../../src/web/ui/status.tsx';
import { markdownTable, withTables } from '../support/marked-tables.ts';

const root = join(import.meta.dirname, '../..');
const path = join(root, 'docs/users/guide.md');
const page = readFileSync(path, 'utf8');

const said = ['it says', 'what it means, and what to do', 'on the worklist'];
const ends = ['completed', 'failed', 'not_submitted', 'cancelled'];
const outcomes = Object.entries(outcomeTable).flatMap(([result, row]) =>
  [...Object.keys(row?.codes ?? {}), 'a code that is not known'].map((detail_code) => ({ result, detail_code })),
);

const kind = 'benefit-verification';

const tables: Readonly<Record<string, string>> = {
  before: markdownTable(
    said,
    rowsOf([a('draft'), a('draft', { orderEnded: true }), a('sending'), a('unknown'), a('refused')]),
  ),
  'under way': markdownTable(
    said,
    rowsOf([
      a('open', { status: 'processing' }),
      ...Object.keys(statusRules['prior-auth'])
        .filter((status) => !ends.includes(status))
        .map((status) => a('open', { status, record: { status } })),
    ]),
  ),
  ends: markdownTable(
    ['it says', 'what to do', 'on the worklist'],
    rowsOf([
      ...outcomes.map((outcome) => ended(outcome.result === 'Not Submitted' ? 'not_submitted' : 'completed', outcome)),
      ended('failed', {}),
      ended('cancelled', {}),
    ]),
  ),
  writes: markdownTable(['beside a document it says', 'meaning'], Object.entries(writeMeanings()).map(bold)),
  enrollment: markdownTable(said, rowsOf([a('unknown', { kind: 'enrollment' }), a('ended', { kind: 'enrollment' })])),
  benefits: markdownTable(
    said,
    rowsOf([
      a('open', { kind, status: 'pending', record: { status: 'pending' } }),
      ...[
        { prior_authorization_required: 'no' },
        { prior_authorization_required: 'yes' },
        { prior_authorization_required: 'yes', has_active_prior_auth: true },
        { prior_authorization_required: 'yes', coverage_detail_code: 'quantity_limit_pa_required' },
        { prior_authorization_required: 'not_applicable' },
        { coverage: 'not_covered' },
        { coverage: 'not_covered', coverage_detail_code: 'diagnoses_not_covered' },
        { coverage: 'not_covered', determination_details: { is_explicit_plan_exclusion: true } },
        { coverage: 'not_covered', determination_details: { is_prior_auth_acting_as_exception_request: true } },
        { coverage: 'a word that is not known' },
      ].map((drug) => verified({ patient_coverage_status: 'covered', drugs: [{ coverage: 'covered', ...drug }] })),
      ...['coverage_expired', 'coverage_not_started', 'patient_not_found', 'patient_not_covered_unspecified'].map(
        (patient_coverage_status) => verified({ patient_coverage_status }),
      ),
      ...Object.keys(benefitErrors).map((code) => verified({ status: 'failed', error: { code } })),
      verified({ status: 'cancelled' }),
    ]),
  ),
};

// `npx vitest run test/docs/users.test.ts -u` writes the tables anew.
test('docs/users/guide.md has every state, status and decision as the pages word them', async () => {
  await expect(withTables(page, tables)).toMatchFileSnapshot(path);
});

test('docs/users/guide.md names each state of a request and each part of the worklist', () => {
  // A prior authorization that has ended always has a record, whose decision is the title.
  const { ended: _, ...before } = states;
  const labels = [...Object.values(before), ...Object.values(enrollmentStates)].map(({ label }) => label);
  const named = [...labels, ...Object.values(worklistWords.parts)];
  expect(named.filter((words) => !page.includes(`**${words}**`))).toEqual([]);
});

test('every word that docs/users/guide.md quotes from a page stands in the pages', () => {
  const shown =
    textsOf('src/web') +
    textsOf('src/service/outcome-words.ts') +
    textsOf('src/service/status-words.ts') +
    shownOfBenefits();
  const quoted = [...page.matchAll(/\*\*([^*]+)\*\*/g)].map(([, words]) => words?.replaceAll('\n', ' ') ?? '');
  expect(quoted.length).toBeGreaterThan(100);
  expect(quoted.filter((words) => !shown.includes(words))).toEqual([]);
});

function a(state: Case['state'], more: object = {}): Case {
  // what the words of a state are made of
  return { kind: 'prior-auth', state, requests: [], events: [], writes: [], ...more } as unknown as Case;
}

function verified(record: object): Case {
  return a('ended', { kind, record: { id: 'bv_1', status: 'completed', ...record } });
}

function ended(status: string, outcome: Outcome): Case {
  return a('ended', { record: { id: 'pa_1', status, outcome } });
}

/** What the page of each case says, what it means, and in which part of the worklist it is; each line once. */
function rowsOf(cases: readonly Case[]): string[][] {
  const rows = cases.map((one) => {
    const { label, meaning } = standingOf(one);
    const { part, ...line } = worklistStanding(one);
    const waits = waitsText(line, line);
    return [`**${label}**`, meaning, `${worklistWords.parts[part]}${waits === label ? '' : `: **${waits}**`}`];
  });
  return [...new Map(rows.map((row) => [row.join('|'), row])).values()];
}

/** Of each state of a write what staff are told; by the words of the page. */
function writeMeanings(): Record<string, string> {
  const means: Readonly<Record<keyof typeof chart.writes, string>> = {
    planned: 'Comes by itself',
    in_flight: 'Comes by itself',
    done: 'It is there',
    unknown: 'The EHR did not answer clearly. The app looks in the chart before it saves again',
    stored: 'It is there',
    failed: 'Press “Save to the chart again” on the page of the request',
    waiting: 'Open the app from the patient’s chart once more',
    skipped: 'Your EHR does not take it. The page of the request still has it',
    retracted: 'Someone said that it is wrong. The chart shows it as entered in error',
  };
  const states = Object.keys(means) as (keyof typeof means)[];
  return Object.fromEntries(states.map((state) => [chart.writes[state], means[state]]));
}

function bold([words, meaning]: readonly [string, string]): string[] {
  return [`**${words}**`, meaning];
}

// Some of its texts are put together.
function shownOfBenefits(): string {
  return tables.benefits ?? '';
}

/** All texts of the sources below a path; a text that is broken over lines is one text. */
function textsOf(place: string): string {
  const files = place.endsWith('.ts')
    ? [place]
    : readdirSync(join(root, place), { recursive: true, encoding: 'utf8' })
        .filter((name) => /\.tsx?$/.test(name))
        .map((name) => join(place, name));
  return files
    .map((file) => readFileSync(join(root, file), 'utf8'))
    .join('\n')
    .replaceAll(/['`] \+\s+['`]/g, '')
    .replaceAll(/\s+/g, ' ');
}
