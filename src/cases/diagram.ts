import { type CaseState, caseStates } from './case.ts';
import { type Row, transitions } from './transitions.ts';

/**
 * docs/develop/cases.md, generated from the table of transitions. `npm run docs -- cases` writes it, and a test
 * compares it.
 */

const meanings: Readonly<Record<CaseState, string>> = {
  draft: 'being reviewed; nothing is under way',
  sending: 'the intent is stored, the request is under way',
  unknown: 'sent; nobody knows whether it arrived',
  refused: 'the service said no; it may be corrected and sent again',
  open: 'the service works on it',
  ended: 'a terminal status; of an enrollment, its confirmation',
};

type AnyRow = Pick<Row<never>, 'what' | 'from' | 'otherwise' | 'jobs' | 'says'>;

const rows: readonly (readonly [string, AnyRow])[] = Object.entries(transitions);

export function casesDoc(): string {
  return `# The life of a case

Written by \`npm run docs -- cases\` from the one table in src/cases/transitions.ts; a test fails when it is not up to
date. Every transition is a pure function; its state, its jobs and its events are stored in one transaction under the
lock of the case.

${'```'}mermaid
${diagram()}
${'```'}

Events that leave every state as it is are in the table only.

| state | meaning |
|---|---|
${caseStates.map((state) => `| \`${state}\` | ${meanings[state]} |`).join('\n')}

## The table

What an event makes of a case in each state. In a state that is not named it is ignored, or refused with the code of
the last column.

| event | what it is | from state to state | jobs that may follow | history | else |
|---|---|---|---|---|---|
${rows.map(tableRow).join('\n')}

## Attempts

Each request that leaves has a number. Its timer, its late answer and its record name it:
\`prescription.extra.submission_id\` is the id of the case for the first request and \`<case id>/<number>\` from the
second on. A late answer of a request that a person called "not arrived" is read and handled as a record that was
found: nothing was sent since, and the case is taken back as it had left; or another request was, and both ids stand
on the case page until a person cancels one of the two.

## After the end

Not every change comes with a webhook. The record of a prior authorization that has ended is read again one hour, one
day and seven days after its last change. A reading that failed, or that found something new, is followed by another
an hour later. What is new goes the way of every other reading (\`read\`): a changed outcome has its letter and changes
the Task. No job waits for it meanwhile: the look for what nobody works on finds the cases whose time has come.
`;
}

function diagram(): string {
  const edges = new Map<string, string[]>();
  for (const [name, { from }] of rows)
    for (const [state, to] of Object.entries(from))
      for (const next of to.filter((each) => each !== state)) {
        const edge = `${state} --> ${next}`;
        edges.set(edge, [...(edges.get(edge) ?? []), name]);
      }
  const lines = [...edges].map(([edge, names]) => `  ${edge}: ${names.join(', ')}`);
  return ['stateDiagram-v2', '  [*] --> draft', ...lines, '  ended --> [*]'].join('\n');
}

function tableRow([name, { what, from, otherwise, jobs, says }]: readonly [string, AnyRow]): string {
  const ways = Object.entries(from).map(([state, to]) =>
    to.join() === state ? state : `${state} → ${to.join(' or ')}`,
  );
  const list = (names: readonly string[]) => (names.length === 0 ? '' : names.map((each) => `\`${each}\``).join(' '));
  const last = otherwise === 'ignored' ? 'ignored' : `\`${otherwise}\``;
  return `| \`${name}\` | ${what} | ${ways.join('; ')} | ${list(jobs)} | ${list(says)} | ${last} |`;
}
