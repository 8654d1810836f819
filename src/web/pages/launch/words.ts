/** Texts about launch contexts that could not be opened, by their name in the query of the orders page. */
export const unopened = {
  'task-unknown': 'The task that you opened belongs to no request of this app. Choose the order below.',
  'task-unread': 'The task that you opened could not be read. Open it again from your EHR, or choose the order below.',
  'task-elsewhere':
    'The task that you opened is about another patient, so nothing of it is shown here. Open it from that patient’s ' +
    'chart.',
  'order-unknown': 'The order that your EHR named cannot be opened in this chart. Choose an order below.',
  'case-elsewhere':
    'The request that you came for belongs to another patient. To open it, pick that patient in your EHR.',
} as const;

export type Unopened = keyof typeof unopened;

/** For the page that is shown while the bridge waits for the EHR. */
export const reading = {
  title: 'Reading the chart',
  heading: 'Reading the patient’s chart',
  headingOf: (name: string) => `Reading the chart of ${name}`,
  slow: 'Your EHR is taking longer than usual. This page goes on by itself as soon as the chart is here.',
  now: 'Not going on? Try again now.',
} as const;

/** Why the reader may see a request but not act on it. */
export const refused = {
  'not-staff': 'Only the staff of the practice can send, cancel or change requests. You can read everything here.',
  manager:
    'You are a manager here: you can read everything and assign requests in the worklist. You cannot send, cancel or ' +
    'change requests.',
  unnamed:
    'Your EHR does not say who you are, and this practice lets only named staff send, cancel or change requests. You ' +
    'can read everything here; your IT support can help.',
} as const;

export type ActRefusal = keyof typeof refused;

/** For the operator of a bridge that has no site yet. */
export const noSite = {
  title: 'No site yet',
  lead:
    'It runs, and shows its key set and its health. Nobody can open it from a chart before a site is added. If you ' +
    'are clinic staff, tell your IT support.',
  register: 'At the EHR, register the app with these addresses, and note the client ID that the EHR gives.',
  launch: 'Launch address',
  redirect: 'Redirect address',
  keys: 'Key set (JWK Set), where the client signs with keys',
  noKeys:
    'The key set is empty, since BRIDGE_JWKS is not set: the command prior-auth-bridge keys makes one. A public ' +
    'client, or one with a secret, needs none.',
  siteId: 'The site ID is a short name that you choose, such as valley. It stays as it is.',
  add: 'On the machine of the bridge, with the same environment, add the site. The command asks for what it needs.',
  start: 'Start the bridge again.',
  look: 'Look at the site, whenever something does not work.',
} as const;
