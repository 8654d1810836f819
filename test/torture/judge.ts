import type { Request } from './charts.ts';
import type { Takes } from './ehrs.ts';
import type { Entry, PeopleEntry } from './ledgers.ts';

// Compares what really happened, by the ledgers of the sandboxes and of the people, with what the bridge's pages say.
// Nothing here comes from the product.

export interface Evidence {
  readonly requests: readonly Request[];
  readonly service: readonly Entry[];
  /** By site. */
  readonly ehrs: ReadonlyMap<string, { readonly takes: Takes; readonly ledger: readonly Entry[] }>;
  readonly people: readonly PeopleEntry[];
  /**
   * The last look at each request's page, by the number of the request, with its time in milliseconds since 1970;
   * absent when it has none.
   */
  readonly pages: ReadonlyMap<number, { readonly address: string; readonly html: string; readonly seenAt: number }>;
}

export interface Verdict {
  readonly counts: Readonly<Record<string, number>>;
  /** One line each: number of the request, case and what is wrong. */
  readonly violations: readonly string[];
}

/** What of one request happened where. */
interface Story {
  readonly request: Request;
  readonly caseId: string;
  readonly html: string;
  readonly seenAt: number;
  /** What the service accepted of this patient, oldest first. */
  readonly accepted: readonly Accepted[];
  readonly deeds: readonly PeopleEntry[];
  readonly takes: Takes;
  /** What stands in the chart of this patient that the bridge wrote. */
  readonly chart: readonly Written[];
  /** References of what a Provenance in this EHR is about, once for each Provenance. */
  readonly targets: readonly string[];
}

interface Accepted {
  readonly id: string;
  readonly submission: string;
  readonly site: string;
}

interface Written {
  readonly resource: string;
  readonly type: string;
  readonly status: string;
  readonly identifiers: readonly string[];
  readonly patients: readonly string[];
  readonly files: readonly string[];
  /** Of a Provenance. */
  readonly targets: readonly string[];
}

type Say = (what: string) => void;

export function judge(evidence: Evidence): Verdict {
  const counts: Record<string, number> = {};
  const violations: string[] = [];
  const count = (what: string, by = 1) => {
    counts[what] = (counts[what] ?? 0) + by;
  };
  const service = readService(evidence.service);
  const stories = evidence.requests.map((request) => storyOf(evidence, service, request));
  for (const name of [...zeros, 'waiting for a named person']) count(name, 0);
  for (const story of stories) {
    const say = (kind: (typeof zeros)[number]) => (what: string) => {
      count(kind);
      violations.push(`${kind}: request ${story.request.number}, case ${story.caseId || 'none'}: ${what}`);
    };
    count('cases');
    judgeCreates(story, service, {
      count,
      doubled: say('doubled'),
      lost: say('lost'),
      strange: say('another patient'),
    });
    judgeWaiting(story, service, { count, lost: say('lost') });
    judgeEnd(story, service, { count, lost: say('lost'), untrue: say('false') });
    judgeTask(story, service, { count, doubled: say('doubled'), lost: say('lost'), untrue: say('false') });
    judgeDocuments(story, { count, doubled: say('doubled'), lost: say('lost'), unsaid: say('not said') });
    judgeProvenances(story, { count, doubled: say('doubled'), lost: say('lost') });
    judgeLetters(story, service, { count, lost: say('lost'), unsaid: say('not said') });
  }
  judgePatients(evidence, service, { count, violations });
  return { counts, violations };
}

const zeros = ['lost', 'doubled', 'false', 'another patient', 'not said', 'unfinished'] as const;

interface Service {
  readonly accepted: readonly (Accepted & { readonly patient: string; readonly at: string })[];
  /** What each record came to, oldest first. */
  readonly statuses: ReadonlyMap<string, readonly Status[]>;
  readonly letters: readonly { readonly id: string; readonly sha256: string }[];
  /** When the bridge has taken a genuine webhook of a record, oldest first. */
  readonly told: ReadonlyMap<string, readonly number[]>;
}

interface Status {
  readonly at: number;
  readonly status: string;
  /** Of a benefit verification its coverage. */
  readonly result: string;
  readonly isOfBenefits: boolean;
}

function readService(entries: readonly Entry[]): Service {
  const of = (kind: string) => entries.filter((entry) => entry.kind === kind);
  const creates = ['prior_authorization', 'enrollment', 'benefit_verification'].flatMap((kind) =>
    of(`${kind}.accepted`),
  );
  const accepted = creates.map((entry) => {
    const extra = (entry.extra ?? {}) as Readonly<Record<string, unknown>>;
    return {
      id: String(entry.id),
      patient: String(entry.patient),
      site: String(entry.site),
      at: entry.at,
      // A benefit verification carries no id of ours.
      submission: String(extra.submission_id ?? extra.enrollment_id ?? ''),
    };
  });
  const statuses = Map.groupBy(
    [...of('prior_authorization.status'), ...of('benefit_verification.status')].map((entry) => ({
      id: String(entry.id),
      at: Date.parse(entry.at),
      status: String(entry.status),
      result: String(entry.result ?? entry.coverage),
      isOfBenefits: entry.kind === 'benefit_verification.status',
    })),
    ({ id }) => id,
  );
  // The pages of the platform are no letters, and the faxes that were sent come from the practice itself.
  const letters = of('file.given')
    .filter(({ whole, name }) => whole === true && /^rec_fax/.test(String(name)))
    .map(({ id, sha256 }) => ({ id: String(id), sha256: String(sha256) }));
  const told = of('webhook.sent').filter(({ forged, answered }) => forged === undefined && isTaken(answered));
  const times = Map.groupBy(told, ({ id }) => String(id));
  return {
    accepted,
    statuses,
    letters,
    told: new Map([...times].map(([id, sent]) => [id, sent.map(({ at }) => Date.parse(at))])),
  };
}

function isTaken(answered: unknown): boolean {
  return typeof answered === 'number' && answered >= 200 && answered < 300;
}

function storyOf(evidence: Evidence, service: Service, request: Request): Story {
  const page = evidence.pages.get(request.number);
  const ehr = evidence.ehrs.get(request.site);
  const all = standing(ehr?.ledger ?? []);
  const chart = all.filter(({ patients }) => patients.includes(request.patient));
  return {
    request,
    caseId: /\/cases\/([^/?#]+)/.exec(page?.address ?? '')?.[1] ?? '',
    html: page?.html ?? '',
    seenAt: page?.seenAt ?? 0,
    accepted: service.accepted.filter(({ patient }) => patient === request.mrn),
    deeds: evidence.people.filter((entry) => entry.request === request.number),
    takes: ehr?.takes ?? 'all',
    chart,
    targets: all.flatMap(({ targets }) => targets),
  };
}

const chartsOf = new WeakMap<readonly Entry[], readonly Written[]>();

/** What stands in an EHR at the end of its ledger and is not marked as entered in error. */
function standing(entries: readonly Entry[]): readonly Written[] {
  const known = chartsOf.get(entries);
  if (known !== undefined) return known;
  const last = new Map<string, Written | undefined>();
  for (const entry of entries) {
    if (!['write.created', 'write.updated', 'write.deleted'].includes(entry.kind)) continue;
    const resource = String(entry.resource);
    last.set(resource, entry.kind === 'write.deleted' ? undefined : writtenOf(resource, entry));
  }
  const all = [...last.values()]
    .filter((one) => one !== undefined)
    .filter(({ status }) => status !== 'entered-in-error');
  chartsOf.set(entries, all);
  return all;
}

function writtenOf(resource: string, entry: Entry): Written {
  const identifiers = (entry.identifier ?? []) as readonly { readonly system?: string; readonly value?: string }[];
  return {
    resource,
    type: String(entry.type),
    status: String(entry.status),
    identifiers: identifiers.filter(Boolean).map(({ system, value }) => `${system}|${value}`),
    patients: (entry.patients ?? []) as readonly string[],
    files: (entry.files ?? []) as readonly string[],
    targets: (entry.targets ?? []) as readonly string[],
  };
}

interface Tools {
  readonly count: (what: string, by?: number) => void;
}

/** No request arrives twice, but for what a person asked for by a wrong answer; then both ids are on the page. */
function judgeCreates(
  { request, caseId, html, seenAt, accepted, deeds }: Story,
  service: Service,
  { count, doubled, lost, strange }: Tools & { readonly doubled: Say; readonly lost: Say; readonly strange: Say },
): void {
  count('creates at the service', accepted.length);
  const denials = deeds.filter((deed) => deed.did === 'answered' && deed.said === 'not-arrived').length;
  const seconds = Math.max(0, accepted.length - 1);
  if (accepted.length > 0) count('cases that arrived');
  count('second attempts after a wrong answer', Math.min(seconds, denials));
  if (seconds > denials) doubled(`${accepted.length} creates, ${denials} answers that it did not arrive`);
  const named = accepted.filter(({ submission }) => submission !== '');
  if (new Set(named.map(({ submission }) => submission)).size < named.length)
    doubled('one attempt was accepted more than once');
  if (request.kind !== 'benefit-verification' && named.length < accepted.length) strange('accepted without an id');
  for (const { submission, site } of accepted) {
    if (caseId !== '' && submission !== '' && !submission.startsWith(caseId)) strange(`accepted as ${submission}`);
    if (site !== request.site) strange(`sent by ${site}`);
  }
  if (request.kind === 'enrollment') return;
  for (const { id } of accepted.filter((one) => html !== '' && !html.includes(one.id))) {
    // Nobody but the service knows of a record whose answer and whose every webhook were lost.
    if (wasTold(service, id, seenAt) || (accepted.length === 1 && !pageOf(html).asksPerson))
      lost(`its id ${id} is not on the page`);
    else count('requests at the service of which the bridge was never told');
  }
}

interface Page {
  readonly label: string;
  readonly isMoving: boolean;
  readonly asksPerson: boolean;
  /** Whom it says that it waits for; empty when it names nobody. */
  readonly waitsFor: string;
  /** What the page says of each thing to write: `Summary`, and `in the chart`. */
  readonly writes: readonly { readonly what: string; readonly state: string }[];
}

function pageOf(html: string): Page {
  const status = /<div class="case" id="status"([^>]*)>/.exec(html)?.[1] ?? '';
  const section = /<section class="card" aria-labelledby="written">([\s\S]*?)<\/section>/.exec(html)?.[1] ?? '';
  const writes = section
    .split('<li')
    .slice(1)
    .map((item) => ({
      what: /<span class="name">([^<]*)/.exec(item)?.[1] ?? '',
      state: /<span class="badge[^>]*>([^<]*)/.exec(item)?.[1] ?? '',
    }));
  return {
    label: /<h2 id="standing">([^<]*)</.exec(html)?.[1] ?? '',
    isMoving: status.includes('hx-get'),
    asksPerson: html.includes('value="not-arrived"') || html.includes('Correct and send again'),
    waitsFor: /Waiting for <strong>([^<]*)</.exec(html)?.[1] ?? '',
    writes,
  };
}

/** A page of a case that a person has to do something for names one who knows of it: a practitioner of this chart. */
function judgeWaiting(
  { request, html, seenAt, accepted }: Story,
  service: Service,
  { count, lost }: Tools & { readonly lost: Say },
): void {
  const { label, asksPerson, waitsFor, writes } = pageOf(html);
  const isToLookAt = writes.some(({ state }) => state === 'could not be saved');
  if (!asksPerson && !isToLookAt) return;
  if (asksPerson) count('waiting for a named person');
  if (!request.practitioners.some((family) => waitsFor.includes(family)))
    lost(`the page says “${label}” and waits for “${waitsFor}”`);
  if (!asksPerson) return;
  for (const { id } of accepted.filter((one) => wasTold(service, one.id, seenAt)))
    lost(`the bridge was told of ${id}, and the page says “${label}”`);
}

/** Whether the bridge had taken a webhook of a record long before its page was looked at: a job reads the record. */
function wasTold({ told }: Service, id: string, seenAt: number): boolean {
  return (told.get(id)?.[0] ?? Number.POSITIVE_INFINITY) < seenAt - takenInMs;
}

const takenInMs = 60_000;

/** Every case is at a true end, as the service has it. */
function judgeEnd(
  { request, html, accepted, deeds }: Story,
  service: Service,
  { count, lost, untrue }: Tools & { readonly lost: Say; readonly untrue: Say },
): void {
  if (html === '') {
    lost('it has no page');
    return;
  }
  const { label, isMoving, asksPerson } = pageOf(html);
  const said = deeds.some((deed) => deed.did === 'answered' && deed.said === 'arrived' && deed.isWrong);
  if (asksPerson) return;
  if (accepted.length === 0) {
    if (request.kind === 'enrollment' && said) count('enrollments that a person wrongly said had arrived');
    else untrue(`the page says “${label}”, and the service has nothing`);
    return;
  }
  if (isMoving) {
    count('unfinished');
    lost(`the page says “${label}” and is not at its end`);
    return;
  }
  count('cases at their end');
  const followed = accepted.find(({ id }) => html.includes(`<dd>${id}</dd>`));
  if (request.kind === 'enrollment') return;
  const id = followed?.id ?? '';
  const record = service.statuses.get(id)?.at(-1);
  if (record !== undefined && saidOf(record)?.test(label) === true) return;
  untrue(`the page says “${label}”, the record ${record?.status} ${record?.result}`);
}

/**
 * Until when each page may still say an end that the service has changed since, in milliseconds since 1970: the bridge
 * reads a record again at these times (seconds) after the last change that it knows of. undefined for a page that says
 * how its record stands.
 */
export function behindUntil(
  entries: readonly Entry[],
  pages: readonly { readonly html: string }[],
  readAgainAfter: readonly number[],
): readonly (number | undefined)[] {
  const { statuses } = readService(entries);
  return pages.map(({ html }) => behindOne(statuses, html, readAgainAfter));
}

function behindOne(statuses: Service['statuses'], html: string, readAgainAfter: readonly number[]): number | undefined {
  const { label } = pageOf(html);
  const ids = [...html.matchAll(/<dd>([^<]+)<\/dd>/g)].map(([, id = '']) => id);
  const followed = ids.flatMap((id) => statuses.get(id) ?? []);
  const shown = followed.findLast((one) => saidOf(one)?.test(label) === true);
  const last = followed.at(-1);
  if (shown === undefined || last === undefined || saidOf(last)?.test(label) === true) return undefined;
  const times = readAgainAfter.map((seconds) => shown.at + seconds * 1000);
  return times.find((at) => at > last.at);
}

function saidOf({ status, result, isOfBenefits }: Omit<Status, 'at'>): RegExp | undefined {
  if (status === 'cancelled') return /^Canceled/;
  if (isOfBenefits) return saidOfBenefits(status, result);
  if (status === 'failed') return /^Could not be completed/;
  if (status === 'not_submitted') return /^(Not submitted|No prior authorization needed)/;
  if (status !== 'completed') return undefined;
  const words: Readonly<Record<string, RegExp>> = {
    Approved: /^(Approv|No prior authorization needed|Needs your review)/,
    Denied: /^Denied/,
  };
  return words[result] ?? /^(?!Approv|Denied)./;
}

// Only what is covered in a word that is known may be said to be.
function saidOfBenefits(status: string, coverage: string): RegExp | undefined {
  if (status === 'failed') return /^Benefits not verified/;
  if (status !== 'completed') return undefined;
  const words: Readonly<Record<string, RegExp>> = {
    covered: /^(Covered(?! only with an exception)|Needs your review)/,
    not_covered: /^Not covered|^Covered only with an exception/,
  };
  return words[coverage] ?? /^(?!Covered|Not covered)./;
}

const taskStatus: Readonly<Record<string, string>> = {
  completed: 'completed',
  failed: 'failed',
  cancelled: 'cancelled',
  not_submitted: 'rejected',
};

/** One live Task, which says how the record ended. */
function judgeTask(
  story: Story,
  service: Service,
  { count, doubled, lost, untrue }: Tools & { readonly doubled: Say; readonly lost: Say; readonly untrue: Say },
): void {
  const { request, html, accepted, chart, takes } = story;
  const tasks = chart.filter(({ type }) => type === 'Task');
  const firsts = tasks.filter(({ identifiers }) => identifiers.some((one) => one.includes('/ns/case|')));
  const closing = tasks.filter(({ identifiers }) => identifiers.some((one) => one.includes('/ns/closing-task|')));
  const own = firsts.filter((task) => !closing.includes(task));
  count('Tasks in charts', own.length);
  count('Tasks that tell the end beside one that cannot be changed', closing.length);
  // Where an EHR takes no update, only a person can take away a second copy, or the Task of an end that has changed
  // since: then the page names it.
  const isTold = ({ resource }: { readonly resource: string }) =>
    takes === 'no-update' && html.includes(`mark ${resource} as entered in error`);
  for (const [name, all] of [
    ['Tasks', own],
    ['closing Tasks', closing],
  ] as const) {
    count('second Tasks that only a person can take away, as the page says', all.filter(isTold).length);
    const unsaid = all.filter((task) => !isTold(task));
    if (unsaid.length > 1) doubled(`${unsaid.length} ${name}: ${unsaid.map(({ resource }) => resource).join(', ')}`);
  }
  if (accepted.length === 0) return;
  const { asksPerson, writes } = pageOf(html);
  const isLeft = isLeftToPerson(story, 'Task in the chart');
  if (own.length === 0 && isLeft) {
    count('Tasks that only a person can look for, as the page says');
    return;
  }
  if (own.length === 0) {
    // A draft has a Task only where its answer was lost before.
    if (!html.includes('Correct and send again')) lost('no Task in the chart');
    return;
  }
  const followed = accepted.find(({ id }) => html.includes(`<dd>${id}</dd>`));
  const end = followed === undefined ? undefined : taskStatus[service.statuses.get(followed.id)?.at(-1)?.status ?? ''];
  if (asksPerson && own.every(({ status }) => status === 'requested' || status === 'cancelled')) return;
  const expected = request.kind === 'enrollment' ? 'completed' : end;
  const told = takes === 'no-update' ? [...own, ...closing] : own;
  if (expected !== undefined && told.some(({ status }) => status === expected)) return;
  const isSaid = writes.some(({ what, state }) => what === 'Task in the chart' && state !== 'in the chart');
  if (takes === 'no-update' && isSaid) count('Tasks that could not be changed, as the page says');
  else if (isLeft) count('Tasks that only a person can look for, as the page says');
  else untrue(`the Task says ${own.map(({ status }) => status).join()}, expected ${expected}`);
}

/** Where an EHR does not search what the bridge writes, only a person can look for what was sent without an answer. */
function isLeftToPerson({ takes, html }: Story, name: string): boolean {
  const isLeft = ({ what, state }: Page['writes'][number]) =>
    what.startsWith(name) && (state === 'could not be saved' || state.includes('cannot find it'));
  return takes === 'no-search' && pageOf(html).writes.some(isLeft);
}

function isCopyLeftToPerson({ takes, html }: Story, { resource }: Written): boolean {
  return takes === 'no-update' && html.includes(`mark ${resource} as entered in error`);
}

/** Each document once; a summary for each outcome. */
function judgeDocuments(
  story: Story,
  { count, doubled, lost, unsaid }: Tools & { readonly doubled: Say; readonly lost: Say; readonly unsaid: Say },
): void {
  const { request, html, accepted, chart, takes } = story;
  const all = chart.filter(({ type }) => type === 'DocumentReference');
  // Where an EHR takes no update, only a person can take away a second copy: then the page names it.
  const documents = all.filter((one) => !isCopyLeftToPerson(story, one));
  count('documents in charts', all.length);
  count('second documents that only a person can take away, as the page says', all.length - documents.length);
  for (const key of ['identifiers', 'files'] as const) {
    const seen = documents
      .flatMap((one) => one[key])
      .filter((value) => key === 'files' || /\/ns\/document\|/.test(value));
    const twice = seen.filter((value, index) => seen.indexOf(value) < index);
    for (const value of new Set(twice)) doubled(`more than one document with ${value}`);
  }
  if (request.kind === 'enrollment' || accepted.length === 0) return;
  const { label, writes } = pageOf(html);
  const isDecided = /^(Approved|Denied|Other|Covered|Not covered|Benefits not verified)/.test(label);
  if (!isDecided) return;
  const summaries = documents.filter(({ identifiers }) => identifiers.some((one) => /-document-/.test(one)));
  if (summaries.length > 0) return;
  const isSaid = writes.some(({ what, state }) => what === 'Summary' && isRefusal(state));
  if (isLeftToPerson(story, 'Summary')) count('summaries that only a person can look for, as the page says');
  else if (takes !== 'no-documents') lost('no summary in the chart');
  else if (isSaid) count('summaries that the EHR refused, as the page says');
  else unsaid('the summary is not in the chart, and the page does not say so');
}

/** Of each document, and of one Task, who wrote it: once. */
function judgeProvenances(
  story: Story,
  { count, doubled, lost }: Tools & { readonly doubled: Say; readonly lost: Say },
): void {
  const { chart, targets } = story;
  // Of what only a person can find the bridge knows no id.
  const isUnknown = ['Summary', 'Payer’s letter'].some((name) => isLeftToPerson(story, name));
  const timesOf = ({ resource }: Written) => targets.filter((target) => target === resource).length;
  const tasks = chart.filter(({ type }) => type === 'Task');
  const documents = chart.filter((one) => one.type === 'DocumentReference' && !isCopyLeftToPerson(story, one));
  for (const one of [...tasks, ...documents]) {
    count('Provenances in charts', timesOf(one));
    if (timesOf(one) > 1) doubled(`${timesOf(one)} Provenances of ${one.resource}`);
  }
  const isTaskUnknown = isLeftToPerson(story, 'Task in the chart');
  if (tasks.length > 0 && tasks.every((one) => timesOf(one) === 0) && !isTaskUnknown) lost('no Provenance of the Task');
  for (const one of documents) if (timesOf(one) === 0 && !isUnknown) lost(`no Provenance of ${one.resource}`);
}

function isRefusal(state: string): boolean {
  return /not possible|could not be saved/.test(state);
}

/** Every letter whose bytes the service ever gave is in the chart of its patient. */
function judgeLetters(
  story: Story,
  service: Service,
  { count, lost, unsaid }: Tools & { readonly lost: Say; readonly unsaid: Say },
): void {
  const { html, accepted, chart, takes } = story;
  const files = new Set(chart.flatMap((one) => one.files));
  const given = service.letters.filter(({ id }) => accepted.some((one) => one.id === id));
  for (const sha256 of new Set(given.map((letter) => letter.sha256))) {
    count('letters that the service gave');
    if (files.has(sha256)) count('letters in charts');
    else if (isLeftToPerson(story, 'Payer’s letter'))
      count('letters that only a person can look for, as the page says');
    else if (takes !== 'no-documents') lost(`a letter (${sha256.slice(0, 12)}) is not in the chart`);
    else if (pageOf(html).writes.some(({ what, state }) => /letter/.test(what) && isRefusal(state)))
      count('letters that the EHR refused, as the page says');
    else unsaid('a letter is not in the chart, and the page does not say so');
  }
}

/** Nothing is with another patient. */
function judgePatients(
  { requests, ehrs, people, pages }: Evidence,
  service: Service,
  { count, violations }: Tools & { readonly violations: string[] },
): void {
  const found = (what: string) => {
    count('another patient');
    violations.push(`another patient: ${what}`);
  };
  const known = new Set(requests.map(({ mrn }) => mrn));
  for (const { patient, id } of service.accepted) if (!known.has(patient)) found(`${id} is about ${patient}`);
  const patientOf = new Map(
    requests.map(({ number, patient }) => [
      /\/cases\/([^/?#]+)/.exec(pages.get(number)?.address ?? '')?.[1] ?? '',
      patient,
    ]),
  );
  for (const { ledger } of ehrs.values()) {
    for (const { resource, identifiers, patients } of standing(ledger)) {
      const id = identifiers.flatMap((one) => /\|([0-9a-f-]{36})/.exec(one)?.[1] ?? [])[0] ?? '';
      const patient = patientOf.get(id);
      if (patient !== undefined && (patients.length !== 1 || patients[0] !== patient))
        found(`${resource} of case ${id} is about ${patients.join(', ')}`);
    }
  }
  for (const entry of people)
    if (entry.did === 'saw-another') found(`the page of request ${entry.request} showed ${entry.shown}`);
}
