import type { VNode } from 'preact';
import { isSent, type ListedCase } from '../../../cases/case.ts';
import { chartLacks } from '../../../cases/chart-standing.ts';
import { isOffered } from '../../../cases/offered.ts';
import { dayText } from '../../../core/fhir/time/day-text.ts';
import type { CandidateOrder } from '../../../core/roles/select.ts';
import { isStaff } from '../../../ehr/smart/launch.ts';
import type { Launch } from '../../../ehr/smart/types.ts';
import { refusalOf } from '../../http/rights.ts';
import { plural } from '../../request/field-words.ts';
import { LackBadge } from '../../ui/lack-badge.tsx';
import { Page } from '../../ui/page.tsx';
import { caseBadge } from '../../ui/status.tsx';
import { Time } from '../../ui/time.tsx';
import { placeFor } from '../case/case-place.ts';
import { benefits, kinds } from '../case/words.ts';
import { type Unopened, unopened } from '../launch/words.ts';
import { wasReady } from '../ready/drafts.ts';
import { ready } from '../ready/words.ts';
import { review } from '../review/words.ts';
import { sign } from '../sign/words.ts';
import type { OrderDetails } from './order-words.ts';

/** An order in the list, with details that distinguish it from other orders of the same drug. */
export type ListedOrder = CandidateOrder & OrderDetails;

export interface HomeView {
  readonly launch: Launch;
  readonly banner: ListedCase['banner'];
  readonly orders: readonly ListedOrder[];
  readonly cases: readonly ListedCase[];
  readonly warnings: readonly string[];
  readonly forbidden: readonly string[];
  /** Resource types that could not be read in full. */
  readonly unread: readonly string[];
  readonly home: string;
  readonly token: string;
  /** The number of writes to the chart that wait for a launch by this user. */
  readonly waiting: number;
  /** Present after a person asked for the waiting writes: how many requests are still not in the chart. */
  readonly delivered?: { readonly left: number };
  /** The part of the launch context that could not be opened. */
  readonly unopened?: Unopened;
}

/** The patient's orders and requests, where a launch without an order begins. */
export function HomePage({ view }: { readonly view: HomeView }): VNode {
  const { launch, home, token, cases, orders } = view;
  const fitting = orders.filter((order) => order.fits);
  const others = orders.filter((order) => !order.fits);
  const requests = cases.filter((one) => one.state !== 'draft');
  return (
    <Page
      title="Orders"
      assets={['worklist.css']}
      session={launch}
      home={home}
      token={token}
      banner={launch.needPatientBanner ? view.banner : undefined}
    >
      <h1>Orders and requests</h1>
      {view.unopened !== undefined && (
        <p class="notice" role="status">
          {unopened[view.unopened]}
        </p>
      )}
      {view.delivered !== undefined && (
        <p class="notice" role="status">
          {view.delivered.left === 0
            ? 'Everything that waited is in the chart now.'
            : `${plural(view.delivered.left, 'request is', 'requests are')} not in the chart completely. ` +
              'Its page says why.'}
        </p>
      )}
      {view.waiting > 0 && refusalOf(launch) === undefined && <Waiting view={view} />}
      {cases.filter(wasReady).length > 1 && isStaff(launch.fhirUser) && refusalOf(launch) === undefined && (
        <p class="actions">
          <a class="button" href={`${home}/ready`}>
            {ready.linkOf(cases.filter(wasReady).length)}
          </a>
        </p>
      )}
      {(view.warnings.length > 0 || view.forbidden.length > 0) && (
        <ul class="notice">
          {view.forbidden.map((type) => (
            <li key={type}>The EHR does not let you read {type}.</li>
          ))}
          {view.warnings.map((warning) => (
            <li key={warning}>{warning}</li>
          ))}
          {view.unread.length > 0 && (
            <li>
              <a href={`${home}/orders?again=1`}>{review.refresh}</a>
            </li>
          )}
        </ul>
      )}
      <section class="card" aria-labelledby="orders">
        <h2 id="orders">Medication orders</h2>
        {fitting.length === 0 && <p>{noneFits(view)}</p>}
        {fitting.length > 0 && (
          <table class="worklist orders">
            <thead>
              <tr>
                {['Order', 'Directions', 'Written', 'Prescriber', 'Status'].map((head) => (
                  <th key={head} scope="col">
                    {head}
                  </th>
                ))}
                <td />
              </tr>
            </thead>
            <tbody>
              {fitting.map((order) => (
                <OrderRow key={order.order} order={order} view={view} />
              ))}
            </tbody>
          </table>
        )}
        {others.length > 0 && (
          <details class="others">
            <summary>{plural(others.length, 'order is', 'orders are')} not offered</summary>
            <ul>
              {others.map((order) => (
                <li key={order.order}>
                  {order.label}: {order.reason}
                </li>
              ))}
            </ul>
          </details>
        )}
      </section>
      <section class="card" aria-labelledby="requests">
        <h2 id="requests">Requests of this patient</h2>
        {requests.length === 0 && <p>None yet.</p>}
        <ul class="rows">
          {requests.map((one) => (
            <li key={one.id}>
              <div>
                <a href={`${home}/cases/${one.id}`}>{one.title}</a>
                <p class="hint">
                  {kinds[one.kind].name}
                  {isSent(one) && (
                    <>
                      , sent <Time at={one.sentAt} />
                    </>
                  )}
                </p>
              </div>
              {chartLacks(one).map((lack) => (
                <LackBadge key={lack} lacks={lack} />
              ))}
              {caseBadge(one)}
            </li>
          ))}
        </ul>
      </section>
    </Page>
  );
}

// Orders that could not be read might be suitable.
function noneFits({ unread }: HomeView): string {
  return unread.includes('MedicationRequest')
    ? 'Not all medication orders of this chart could be read. None of those that were read can get a prior ' +
        'authorization.'
    : 'No active medication order in this chart can get a prior authorization.';
}

function OrderRow({ order, view }: { readonly order: ListedOrder; readonly view: HomeView }): VNode {
  const here = `${view.home}/orders/${order.order.replace('MedicationRequest/', '')}`;
  const live = view.cases.find(
    (one) => one.order === order.order && one.kind === 'prior-auth' && one.state !== 'ended',
  );
  // The list is newest first, so this finds the current request.
  const one = live ?? view.cases.find((each) => each.order === order.order && each.kind === 'prior-auth');
  return (
    <tr>
      <th scope="row">{order.label}</th>
      <td>{order.directions}</td>
      <td data-label={order.written === undefined ? undefined : 'Written'}>
        {order.written !== undefined && dayText(order.written)}
      </td>
      <td data-label={order.prescriber === undefined ? undefined : 'Prescriber'}>{order.prescriber}</td>
      <td>{one === undefined ? <span class="quiet-text">Not started</span> : caseBadge(one)}</td>
      <td class="row-actions">
        <OrderAction order={order} view={view} here={here} one={one} />
        {isOffered('benefit-verification', view.launch.site) && (
          <BenefitsAction order={order} view={view} here={here} />
        )}
        {isOffered('enrollment', view.launch.site) && (
          <a href={`${here}/enrollment`} class="button quiet-button">
            Enroll in a program<span class="hidden"> for {order.label}</span>
          </a>
        )}
      </td>
    </tr>
  );
}

/** The benefit verification for the order: its state, or the link to start one. */
function BenefitsAction({ order, view, here }: Omit<OrderActionProps, 'one'>): VNode {
  const asked = view.cases.filter((one) => one.order === order.order && one.kind === 'benefit-verification');
  const one = asked.find(({ state }) => state !== 'ended') ?? asked[0];
  const name = <span class="hidden"> for {order.label}</span>;
  if (one === undefined || !isSent(one))
    return (
      <a href={`${here}/benefits`} class="button quiet-button">
        {benefits.verify}
        {name}
      </a>
    );
  return (
    <a href={`${view.home}/cases/${one.id}`} class="button quiet-button">
      {benefits.see}
      {name}
    </a>
  );
}

interface OrderActionProps {
  readonly order: CandidateOrder;
  readonly view: HomeView;
  readonly here: string;
  /** The open request for the order, else the last request that ended. */
  readonly one: ListedCase | undefined;
}

// The main action for an order. After a request has ended, its outcome page offers a new request.
function OrderAction({ order, view, here, one }: OrderActionProps): VNode {
  const name = <span class="hidden"> for {order.label}</span>;
  const page = `${view.home}/cases/${one?.id}`;
  // If several orders are suitable, none is highlighted.
  const look = view.orders.filter(({ fits }) => fits).length === 1 ? 'button go' : 'button';
  if (one === undefined)
    return (
      <a href={here} class={look}>
        Start prior authorization{name}
      </a>
    );
  if (!isSent(one)) {
    const place = placeFor(one, view.launch);
    return (
      <a href={`${view.home}/${place}`} class={look}>
        {place.startsWith('sign/') ? sign.toSign : 'Continue the draft'}
        {name}
      </a>
    );
  }
  if (one.state !== 'ended')
    return (
      <a href={page} class={look}>
        Follow the request{name}
      </a>
    );
  return (
    <a href={page} class="button quiet-button">
      See the outcome{name}
    </a>
  );
}

// Waiting writes of another person are delivered only if this user asks for it, because they are written in this user's
// name.
function Waiting({ view }: { readonly view: HomeView }): VNode {
  return (
    <form method="post" action={`${view.home}/deliver`} class="notice" id="waiting">
      <input type="hidden" name="token" value={view.token} />
      <p>
        {plural(view.waiting, 'outcome waits', 'outcomes wait')} to be written to this chart. It is written in your
        name.
      </p>
      <button type="submit">Write to the chart now</button>
    </form>
  );
}
