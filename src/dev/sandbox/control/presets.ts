/** A fault with a plain name. It is turned on with one click and ends by itself. */
export interface Preset {
  readonly id: string;
  readonly title: string;
  /** What a person can watch in the meantime. */
  readonly watch: string;
  readonly orders: readonly { readonly switch: string; readonly value: unknown; readonly [limit: string]: unknown }[];
}

const [minute, twoMinutes] = [60, 120];

export const ehrPresets: readonly Preset[] = [
  {
    id: 'slow',
    title: 'The EHR answers slowly for 2 minutes',
    watch: 'Start a prior authorization: a page says that the chart is being read, and goes on by itself.',
    orders: [{ switch: 'delay', value: 6000, path: '/fhir/*', forSeconds: twoMinutes }],
  },
  {
    id: 'down',
    title: 'The EHR is down for 1 minute',
    watch: 'An open review keeps what is typed. What is due for the chart is written once the EHR answers.',
    orders: [{ switch: 'status', value: { status: 503 }, path: '/fhir/*', forSeconds: minute }],
  },
  {
    id: 'no-documents',
    title: 'The EHR takes no documents for 2 minutes',
    watch: 'A decision goes into the chart without the letter. The letter follows, or is kept to download.',
    orders: [{ switch: 'refuse-create', value: { type: 'DocumentReference', status: 422 }, forSeconds: twoMinutes }],
  },
];

export const servicePresets: readonly Preset[] = [
  {
    id: 'slow',
    title: 'The service answers slowly for 2 minutes',
    watch: 'Send a request: the case page says that it is being sent.',
    orders: [{ switch: 'delay', value: 8000, path: '/prior-authorization*', forSeconds: twoMinutes }],
  },
  {
    id: 'down',
    title: 'The service is down for 1 minute',
    watch: 'Send a request: it waits and is sent once the service answers.',
    orders: [{ switch: 'status', value: { status: 503 }, path: '/prior-authorization*', forSeconds: minute }],
  },
  {
    id: 'lost-answer',
    title: 'The answer to the next request is lost',
    watch: 'Send a request: the case page says that nobody knows yet whether it arrived, and it is never sent twice.',
    orders: [
      { switch: 'drop', value: 'after', path: '/prior-authorization', method: 'POST', times: 1, forSeconds: 600 },
    ],
  },
  {
    id: 'no-webhooks',
    title: 'The service sends no webhooks for 2 minutes',
    watch: 'Requests still move on: the bridge asks by itself.',
    orders: [{ switch: 'webhook-missing', value: true, forSeconds: twoMinutes }],
  },
];
