import type { Entry, PeopleEntry } from '../ledgers.ts';
import { hashOf, type QuestionOnPage, questionsOn } from './on-page.ts';
import { beginningOf, type Question } from './questions.ts';

// Compares what the payer asked and was answered, by the ledgers of the service and of the people, with the last page
// of each case. Nothing here comes from the product.

export interface AskedEvidence {
  /** By the number of the request. */
  readonly questions: ReadonlyMap<number, Question>;
  readonly requests: readonly { readonly number: number; readonly mrn: string }[];
  readonly service: readonly Entry[];
  readonly people: readonly PeopleEntry[];
  /** The last look at each request's page. */
  readonly pages: ReadonlyMap<number, { readonly html: string }>;
}

export interface AskedVerdict {
  readonly counts: Readonly<Record<string, number>>;
  /** One line each: number of the request, and what is wrong. */
  readonly violations: readonly string[];
}

interface Asked {
  readonly number: number;
  /** Of the record that the page follows. */
  readonly id: string;
  readonly entries: readonly Entry[];
  readonly deeds: readonly PeopleEntry[];
  readonly questions: readonly QuestionOnPage[];
  readonly html: string;
}

type Replied = Extract<PeopleEntry, { readonly did: 'replied' }>;

const zeros = [
  'replies that were accepted more than once without a person',
  'replies that are lost',
  'replies that stand otherwise than at the service',
  'questions that a person closed and that are open',
  'questions that were closed by nobody',
  'questions that no page shows',
] as const;

export function judgeAsked(evidence: AskedEvidence): AskedVerdict {
  const counts: Record<string, number> = {};
  const violations: string[] = [];
  const count = (what: string, by = 1) => {
    counts[what] = (counts[what] ?? 0) + by;
  };
  const texts = [...evidence.questions.values()].flatMap((question) => question.texts);
  for (const name of zeros) count(name, 0);
  for (const one of evidence.requests.map((request) => askedOf(evidence, request))) {
    if (one === undefined) continue;
    const found = (kind: (typeof zeros)[number], what: string) => {
      count(kind);
      violations.push(`${kind}: request ${one.number}: ${what}`);
    };
    count('requests whose payer asked');
    judgeReplies(one, count, found);
    judgeEnds(one, count, found);
    judgeShown(one, texts, count, found);
  }
  return { counts, violations };
}

type Count = (what: string, by?: number) => void;
type Found = (kind: (typeof zeros)[number], what: string) => void;

function askedOf(
  { service, people, pages }: AskedEvidence,
  { number, mrn }: { readonly number: number; readonly mrn: string },
): Asked | undefined {
  const html = (pages.get(number)?.html ?? '').replaceAll(/<wbr\s*\/?>/g, '');
  const accepted = service.filter((entry) => entry.kind === 'prior_authorization.accepted' && entry.patient === mrn);
  const id = String(accepted.findLast((entry) => html.includes(`<dd>${String(entry.id)}</dd>`))?.id ?? '');
  const entries = service.filter((entry) => entry.id === id);
  if (id === '' || !entries.some(isAsking)) return undefined;
  const deeds = people.filter(({ request }) => request === number);
  return { number, id, entries, deeds, questions: questionsOn(html), html };
}

function isAsking({ kind, status }: Entry): boolean {
  return (
    kind === 'prior_authorization.outreach' ||
    (kind === 'prior_authorization.status' && status === 'awaiting_provider_response')
  );
}

const states = {
  accepted: 'has reached the service.',
  unclear: 'was sent; no confirmation received.',
  neverLeft: ['did not arrive.', 'was refused.', 'was not sent.'],
} as const;

function judgeReplies({ entries, deeds, questions }: Asked, count: Count, found: Found): void {
  const shown = new Map(questions.flatMap(({ replies }) => replies).map(({ text, state }) => [hashOf(text), state]));
  const amended = entries.filter(({ kind }) => kind === 'prior_authorization.amended');
  const times = (hash: string) => amended.filter(({ texts }) => Array.isArray(texts) && texts.includes(hash)).length;
  const made = deeds.filter((deed): deed is Replied & PeopleEntry => deed.did === 'replied');
  const known = new Set(made.map(({ hash }) => hash));
  for (const { hash } of made) judgeReply({ hash, state: shown.get(hash), accepted: times(hash) }, deeds, count, found);
  for (const { texts } of amended)
    for (const hash of (texts as readonly (string | null)[]).filter((one) => one !== null))
      if (!known.has(hash)) found('replies that stand otherwise than at the service', 'nobody wrote what was accepted');
}

function judgeReply(
  { hash, state, accepted }: { readonly hash: string; readonly state: string | undefined; readonly accepted: number },
  deeds: readonly PeopleEntry[],
  count: Count,
  found: Found,
): void {
  const name = hash.slice(0, 8);
  const saidNot = deeds.filter((deed) => deed.did === 'settled-reply' && deed.hash === hash && !deed.arrived).length;
  const isSeen = deeds.some((deed) => deed.did === 'saw-reply' && deed.hash === hash);
  count('replies that people wrote');
  count('replies that the service accepted', accepted);
  count('times that a person said whether a reply arrived', settledTimes(deeds, hash));
  if (accepted > 1 + saidNot)
    found('replies that were accepted more than once without a person', `${name} was accepted ${accepted} times`);
  else if (accepted > 1) count('replies that came after a person had looked and said that they had not', accepted - 1);
  if (state === undefined) {
    // Another was taken in its place, or the bridge was away.
    if (isSeen || accepted > 0) found('replies that are lost', `${name} is not on the page`);
    else count('replies that were not taken, as the person saw');
    return;
  }
  count(`replies of which the page says that it ${state}`);
  const isRight =
    state === states.accepted
      ? accepted >= 1
      : state === states.unclear
        ? accepted === 0
        : states.neverLeft.some((one) => one === state) && accepted <= saidNot;
  if (!isRight)
    found('replies that stand otherwise than at the service', `${name} ${state} The service has it ${accepted} times`);
}

function settledTimes(deeds: readonly PeopleEntry[], hash: string): number {
  return deeds.filter((deed) => deed.did === 'settled-reply' && deed.hash === hash).length;
}

/** No question that a person closed is open, and none is closed that nobody closed. */
function judgeEnds({ entries, deeds, questions }: Asked, count: Count, found: Found): void {
  const isOver = entries.some(
    ({ kind, status }) => kind === 'prior_authorization.status' && terminal.has(String(status)),
  );
  const hasMovedOn = entries.some(
    (entry, index) =>
      (entry.kind === 'prior_authorization.outreach' && entry.over === true) ||
      (entry.kind === 'prior_authorization.status' &&
        entry.status !== 'awaiting_provider_response' &&
        entries.slice(0, index).some(({ status }) => status === 'awaiting_provider_response')),
  );
  const completed = new Set(
    entries
      .filter(({ kind, completes }) => kind === 'prior_authorization.amended' && completes === true)
      .flatMap(({ texts }) => texts as readonly (string | null)[]),
  );
  for (const deed of deeds)
    if (deed.did === 'saw-reopened')
      found('questions that a person closed and that are open', `question ${deed.round} was seen open again`);
    else if (deed.did === 'lost-words') found('replies that are lost', 'the page forgot what was typed');
  for (const { number, isOpen, ended, replies } of questions) {
    const isComplete = replies.some(({ text }) => completed.has(hashOf(text)));
    count(isOpen ? 'questions that are open' : `questions of which the page says: ${ended}`);
    if (isOpen && (isComplete || isOver))
      found('questions that a person closed and that are open', `question ${number}`);
    const wasEnded: Readonly<Record<string, boolean>> = {
      Answered: isComplete,
      'Closed without a reply': deeds.some((deed) => deed.did === 'closed-round' && deed.round === number),
      'Closed by the service': hasMovedOn,
      'Closed: the request has ended': isOver,
    };
    if (!isOpen && wasEnded[ended] !== true)
      found('questions that were closed by nobody', `question ${number}: ${ended}`);
  }
}

const terminal: ReadonlySet<string> = new Set(['completed', 'failed', 'cancelled', 'not_submitted']);

/** What is asked is on the page where the bridge was told, and nothing else is. */
function judgeShown({ entries, questions, html }: Asked, texts: readonly string[], count: Count, found: Found): void {
  const asked = entries.filter(({ kind }) => kind === 'prior_authorization.outreach').map(({ text }) => text);
  const wasTold = entries.some(({ kind, event, answered, forged }) =>
    kind === 'webhook.sent' && event === 'prior_authorization.provider_outreach_change' && forged === undefined
      ? typeof answered === 'number' && answered >= 200 && answered < 300
      : false,
  );
  for (const text of texts.filter((one) => html.includes(beginningOf(one)) && !asked.includes(hashOf(one))))
    found('questions that no page shows', `the page shows “${beginningOf(text)}”, which was asked of another`);
  if (questions.length === 0) {
    // Its deadline, or a person who cancels, may end it before anybody reads the record.
    if (wasTold) found('questions that no page shows', 'the page has no question');
    else count('questions that ended before the bridge was told');
    return;
  }
  const isShown = texts.some((one) => asked.includes(hashOf(one)) && html.includes(beginningOf(one)));
  count(isShown ? 'requests whose page shows the words of the question' : 'requests whose page shows no words of it');
  if (!isShown && wasTold) found('questions that no page shows', 'the page has not its words');
}
