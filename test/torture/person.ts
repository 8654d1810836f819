import { setTimeout as pause } from 'node:timers/promises';
import { createVisitor, type Visitor } from '../support/visitor.ts';
import { createAnswering } from './asked/answering.ts';
import type { Question } from './asked/questions.ts';
import type { Request, RequestKind } from './charts.ts';
import { order } from './faults.ts';
import type { LedgerReader, PeopleLedger } from './ledgers.ts';
import type { Random } from './random.ts';

/** What a person can reach. */
export interface Around {
  /** The EHR of a site, from which launches are made. */
  readonly ehrOf: (site: string) => string;
  readonly service: LedgerReader;
  /** Where the sandbox of the service takes its orders. */
  readonly serviceUrl: string;
  /** What payers ask, by the number of the request. */
  readonly questions: ReadonlyMap<number, Question>;
  readonly ledger: PeopleLedger;
  /** Whether the EHR of a site shows the bridge what is in a chart, so that asking to write again doubles nothing. */
  readonly isSearched: (site: string) => boolean;
  readonly random: Random;
  /** true from when nothing goes wrong any more: then nobody errs or changes their mind. */
  readonly isQuiet: () => boolean;
  /** How many of a hundred people leave a request alone once it waits for them. */
  readonly leavers: number;
}

/** Where a request stands, by its page alone. */
export interface Standing {
  readonly label: string;
  /** A person has to do something before it goes on. */
  readonly asks: 'arrived' | 'send' | undefined;
  readonly canCancel: boolean;
  readonly canWrite: boolean;
  /** The page looks for changes by itself: the bridge is not done. */
  readonly isMoving: boolean;
  /** Something is still to be written to the chart. */
  readonly isWriting: boolean;
}

/** One person at one chart. */
export interface Person {
  readonly request: Request;
  /** Address of the case page, once there is one. */
  readonly page: string | undefined;
  /** The case page as last seen, and when that was, in milliseconds since 1970. */
  readonly html: string;
  readonly seenAt: number;
  /** Leaves the request alone once it waits for a person. */
  readonly leaves: boolean;
  /**
   * Does the next thing that such a person does, and answers where the request stands; undefined when it was not sent
   * yet. Rejects when the bridge cannot be reached or answers with an error.
   */
  turn(): Promise<Standing | undefined>;
  /** The case page as it is now. */
  look(): Promise<string>;
}

const timeoutMs = 45_000;

/** Where the review of each kind is, below the page of its order. */
const paths: Readonly<Record<RequestKind, string>> = {
  'prior-auth': '',
  enrollment: '/enrollment',
  'benefit-verification': '/benefits',
};

/** What the service's ledger calls a create of each kind. */
const accepted: Readonly<Record<RequestKind, string>> = {
  'prior-auth': 'prior_authorization.accepted',
  enrollment: 'enrollment.accepted',
  'benefit-verification': 'benefit_verification.accepted',
};

export function createPerson(request: Request, around: Around): Person {
  const { ledger, random, isQuiet } = around;
  const headers = { 'x-forwarded-for': `198.51.${request.number >> 8}.${request.number & 255}` };
  let visitor = createVisitor({ headers, timeoutMs });
  const seen = { page: undefined as string | undefined, html: '', at: 0, home: '' };
  const leaves = random.chance(around.leavers / 100);
  const lead = { cancels: random.chance(0.08), errs: random.chance(0.4), enters: random.chance(0.3), left: false };
  const question = around.questions.get(request.number);
  const answering = createAnswering({ ...around, request: request.number, random: random.fork('answers') });
  const ordered = { question: false };

  async function launch(): Promise<void> {
    visitor = createVisitor({ headers, timeoutMs });
    const reply = await fetch(`${around.ehrOf(request.site)}/sandbox/launches`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ patient: request.patient, order: request.order }),
    });
    const { address } = (await reply.json()) as { readonly address: string };
    await go(address);
    seen.home = /^(https?:\/\/[^/]+\/app\/[^/]+)/.exec(visitor.address)?.[1] ?? '';
    if (seen.home === '') throw new Error(`the launch ended at ${pathOf(visitor)}`);
    // The case stands under the new launch from here on.
    if (seen.page !== undefined) seen.page = seen.page.replace(/^.*(?=\/cases\/)/, seen.home);
  }

  async function go(address: string): Promise<void> {
    look(await visitor.go(address));
  }

  async function submit(field: string, changes: Readonly<Record<string, string>>): Promise<void> {
    look(await visitor.submit(field, changes));
  }

  function look(at: Visitor): void {
    const { status, body, address } = at;
    const other = [...body.matchAll(/Family\d{6}/g)].find(([name]) => name !== request.family);
    if (other !== undefined) ledger.add({ did: 'saw-another', request: request.number, shown: other[0] });
    if (status >= 400) throw new Error(`${status} at ${pathOf(at)}`);
    if (!/\/cases\/[^/]+$/.test(new URL(address).pathname)) return;
    seen.page = address.replace(/[?#].*/, '');
    seen.html = body;
    seen.at = Date.now();
  }

  async function open(): Promise<void> {
    if (seen.home === '') await launch();
    await go(seen.page ?? orderPage());
  }

  const orderPage = () => `${seen.home}/orders/${request.order}${paths[request.kind]}`;

  async function send(): Promise<void> {
    await go(orderPage());
    if (isCasePage(visitor)) return;
    if (!visitor.body.includes('id="review"')) throw new Error(`no review at ${pathOf(visitor)}`);
    if (lead.enters) {
      lead.enters = false;
      await submit('f.provider.fax', { 'f.provider.fax': '(217) 555-0133', action: 'save' });
      ledger.add({ did: 'entered', request: request.number });
    }
    await submit('patient', { action: 'check', ...missing() });
    if (isCasePage(visitor)) return;
    if (!visitor.address.includes('/confirm')) throw new Error('the request is not ready');
    await orderQuestion();
    ledger.add({ did: 'sent', request: request.number });
    const duplicates = /name="duplicates" value="([^"]*)"/.exec(visitor.body)?.[1];
    await submit('digest', { action: 'send', ...(duplicates === undefined ? {} : { duplicates }) });
  }

  async function orderQuestion(): Promise<void> {
    if (question === undefined || ordered.question) return;
    await order(around.serviceUrl, [question.order]);
    ordered.question = true;
  }

  function missing(): Record<string, string> {
    return {
      ...(request.diagnosis === undefined || !visitor.body.includes('name="diagnosis-codes"')
        ? {}
        : { 'diagnosis-codes': request.diagnosis }),
      ...(request.kind === 'enrollment'
        ? { 'consent.by': 'the patient', 'consent.on': '2026-11-20', 'consent.how': 'Signed form' }
        : {}),
    };
  }

  // Who is asked looks into the platform, and some of those who look err.
  async function answer(): Promise<void> {
    const kind = accepted[request.kind];
    const all = (await around.service.read()).filter((entry) => entry.kind === kind);
    const known = all.filter(({ patient }) => patient === request.mrn);
    const arrived = known.filter(({ id }) => !seen.html.includes(`>${String(id)}<`)).map(({ id }) => String(id));
    const errs = lead.errs && !isQuiet();
    const hasArrived = errs ? arrived.length === 0 : arrived.length > 0;
    const id = arrived.at(-1) ?? String(all.at(-1)?.id ?? 'pa_none');
    const named = hasArrived && request.kind !== 'enrollment' ? { named: id } : {};
    const said = hasArrived ? 'arrived' : 'not-arrived';
    if (errs) lead.errs = random.chance(0.3);
    ledger.add({ did: 'answered', request: request.number, said, arrived, isWrong: errs, ...named });
    await press(said, 'named' in named ? { serviceId: id } : {});
  }

  async function act(standing: Standing): Promise<void> {
    if (standing.asks === 'arrived') await answer();
    else if (standing.canCancel && lead.cancels && !isQuiet()) {
      lead.cancels = false;
      ledger.add({ did: 'cancelled', request: request.number });
      await press('cancel', { reason: 'Handled in another way' });
    } else if (standing.canWrite && around.isSearched(request.site) && random.chance(isQuiet() ? 0.5 : 0.2)) {
      ledger.add({ did: 'asked-for-write', request: request.number });
      await press('write');
    } else if (standing.canCancel && random.chance(0.05)) await press('refresh');
  }

  async function press(action: string, changes: Readonly<Record<string, string>> = {}): Promise<void> {
    look(await visitor.press(action, changes));
  }

  return {
    request,
    get page() {
      return seen.page;
    },
    get html() {
      return seen.html;
    },
    get seenAt() {
      return seen.at;
    },
    leaves,
    async look() {
      await open();
      return seen.html;
    },
    async turn() {
      try {
        await open();
        if (!isCasePage(visitor)) await send();
        if (!isCasePage(visitor)) return undefined;
        const before = standingOf(seen.html);
        if (before.asks !== undefined && leaves) {
          if (!lead.left) ledger.add({ did: 'left', request: request.number });
          lead.left = true;
          return before;
        }
        if (before.asks === 'send') await send();
        else if (await answering.act(visitor)) look(visitor);
        else await act(before);
        return isCasePage(visitor) ? standingOf(seen.html) : undefined;
      } catch (thrown) {
        // A session that has ended, or a bridge that was away: the next turn starts from the chart.
        if (random.chance(0.5) || isQuiet()) seen.home = '';
        throw thrown;
      }
    },
  };
}

// Launches and cases have ids of their own in each run.
function pathOf({ address }: Visitor): string {
  return new URL(address).pathname.replace(/\/app\/[^/]+/, '/app').replace(/cases\/.*/, 'cases');
}

function isCasePage({ address }: Visitor): boolean {
  return /\/cases\/[^/]+$/.test(new URL(address).pathname);
}

export function standingOf(html: string): Standing {
  const status = /<div class="case" id="status"([^>]*)>/.exec(html)?.[1] ?? '';
  const arrived = html.includes('value="not-arrived"') ? 'arrived' : undefined;
  return {
    label: /<h2 id="standing">([^<]*)</.exec(html)?.[1] ?? '',
    asks: html.includes('Correct and send again') ? 'send' : arrived,
    canCancel: html.includes('value="cancel"'),
    canWrite: /name="action" value="write"/.test(html),
    isMoving: status.includes('hx-get'),
    isWriting: /<span class="badge[^>]*>(will be saved|being saved|being checked)</.test(html),
  };
}

/** Lets people take turns at their charts, so many at a time, until each is done or `stop` says so. */
export async function takeTurns(
  people: readonly Person[],
  options: {
    readonly together: number;
    readonly isDone: (person: Person, standing: Standing | undefined) => boolean;
    readonly stop: () => boolean;
    readonly failed: (person: Person, error: unknown) => void;
    readonly pauseMs: number;
  },
): Promise<readonly Person[]> {
  const waiting = [...people];
  const work = async () => {
    while (!options.stop()) {
      const person = waiting.shift();
      if (person === undefined) return;
      const standing = await person.turn().catch(async (error: unknown) => {
        options.failed(person, error);
        await pause(1000);
        return undefined;
      });
      if (!options.isDone(person, standing)) waiting.push(person);
      await pause(options.pauseMs);
    }
  };
  await Promise.all(Array.from({ length: options.together }, work));
  return waiting;
}
