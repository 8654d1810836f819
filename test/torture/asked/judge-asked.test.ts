import { expect, test } from 'vitest';
import type { Entry, PeopleEntry } from '../ledgers.ts';
import { judgeAsked } from './judge-asked.ts';
import { leakIn } from './leaks.ts';
import { hashOf } from './on-page.ts';
import { beginningOf, type Question } from './questions.ts';

const asked = 'QUESTIONCANARY A1: which dose was tried before, and until when?';
const text = 'REPLYCANARY-1-1: 40 mg until March 2025.';
const hash = hashOf(text);
const question: Question = { order: { switch: 'payer-asks', value: {} }, texts: [asked], mayClose: false };

let seq = 0;
const entry = (kind: string, facts: object = {}): Entry => {
  seq += 1;
  return { seq, at: '2026-11-21T10:00:00Z', kind, id: 'pa_1', ...facts };
};
const create = entry('prior_authorization.accepted', { patient: 'T-000001' });
const asking = entry('prior_authorization.outreach', { over: false, text: hashOf(asked) });
const told = entry('webhook.sent', { event: 'prior_authorization.provider_outreach_change', answered: 202 });
const amended = (more: object = {}) =>
  entry('prior_authorization.amended', { texts: [hash], completes: true, ...more });
const over = entry('prior_authorization.outreach', { over: true, text: hashOf(asked) });

type Did<Deed = PeopleEntry> = Deed extends PeopleEntry ? Omit<Deed, 'at' | 'request'> : never;
const deed = (did: Did): PeopleEntry => ({ at: '2026-11-21T10:00:00Z', request: 1, ...did });
const replied = deed({ did: 'replied', round: 1, hash, completes: true });
const saw = deed({ did: 'saw-reply', hash });

const line = (state: string) =>
  `<div class="reply-line"><p><strong>Reply of Dr. Loper</strong> <time>now</time> ${state}</p>` +
  `<blockquote>${text}</blockquote></div>`;
const open = (inner: string) =>
  `<section class="card question" aria-labelledby="question-1"><p>${beginningOf(asked)}</p>${inner}</section>`;
const ended = (how: string, inner: string) =>
  `<details><div class="ended-question"><p>${beginningOf(asked)}</p>${inner}` +
  `<p class="quiet-text">${how} <time>now</time></p></div></details>`;
const arrived = line('has reached the service.');

function violations(html: string, service: readonly Entry[], people: readonly PeopleEntry[] = [replied, saw]) {
  return judgeAsked({
    questions: new Map([[1, question]]),
    requests: [{ number: 1, mrn: 'T-000001' }],
    service: [create, asking, told, ...service],
    people,
    pages: new Map([[1, { html: `<dd>pa_1</dd>${html}` }]]),
  }).violations;
}

test('a question that was answered for good, once, has nothing to answer for', () => {
  expect(violations(ended('Answered', arrived), [amended(), over])).toEqual([]);
});

test.each([
  ['accepted more than once', ended('Answered', arrived), [amended(), amended(), over], [replied, saw]],
  ['replies that are lost', ended('Answered', ''), [amended(), over], [replied, saw]],
  ['stand otherwise', ended('Closed by the service', arrived), [over], [replied, saw]],
  [
    'stand otherwise',
    ended('Answered', line('was sent; no confirmation received.')),
    [amended(), over],
    [replied, saw],
  ],
  ['stand otherwise', ended('Answered', line('was not sent.')), [amended(), over], [replied, saw]],
  ['that are open', open(arrived), [amended(), over], [replied, saw]],
  ['closed by nobody', ended('Answered', arrived), [amended({ completes: false })], [replied, saw]],
  ['closed by nobody', ended('Closed by the service', ''), [], []],
  ['closed by nobody', ended('Closed without a reply', ''), [], []],
  ['closed by nobody', ended('Closed: the request has ended', ''), [], []],
  ['that no page shows', '', [], []],
  ['that are open', open(''), [], [deed({ did: 'saw-reopened', round: 1 })]],
  ['replies that are lost', open(''), [], [deed({ did: 'lost-words', round: 1 })]],
])('%s is found', (what, html, service, people) => {
  expect(violations(html, service, people).join()).toContain(what);
});

test('a reply that comes after a person had looked and said that it had not is no double', () => {
  const said = deed({ did: 'settled-reply', hash, arrived: false });
  expect(violations(ended('Answered', arrived), [amended(), amended(), over], [replied, saw, said])).toEqual([]);
});

test('a canary is found in clear, as bytes in hexadecimal, and in base64 at any place', () => {
  expect(leakIn('nothing')).toBeUndefined();
  expect(leakIn('x SECRETCANARY-1 x')).toBeDefined();
  expect(leakIn(Buffer.from('a SECRETCANARY').toString('hex'))).toBeDefined();
  for (const before of ['', 'a', 'ab'])
    expect(leakIn(Buffer.from(`${before}REPLYCANARY-1-1 and more`).toString('base64'))).toBeDefined();
});
