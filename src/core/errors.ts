/**
 * Every error the bridge can report, except problems in clinical data: missing data is a `Gap`, never an error.
 *
 * `status` is the HTTP status of the page or API response, `title` the public text (never with a value from a chart),
 * `next` what the reader can do. docs/operate/errors.md adds the likely cause of each; a test checks that the doc and
 * this table agree.
 */
export const errors = {
  // launch and session (ehr/smart/)
  issuer_unknown: row(
    400,
    'This app is not set up for your EHR.',
    'Contact your IT support; the EHR must be listed in the sites file.',
  ),
  no_site: row(
    503,
    'This bridge has no site yet.',
    'Its operator adds one with the command site add, and starts the bridge again.',
  ),
  site_disabled: row(403, 'This app is switched off for your EHR.', 'Contact your IT support.'),
  launch_invalid: row(400, 'The launch request is not complete.', 'Start again from the patient’s chart.'),
  discovery_failed: row(
    502,
    'The EHR did not describe its sign-in service.',
    'Try again in a minute. If it keeps happening, contact your IT support.',
  ),
  discovery_unsafe: row(
    502,
    'The EHR describes a sign-in service that this app may not use.',
    'Contact your IT support: the site’s allowed origins or PKCE support must be corrected.',
  ),
  state_invalid: row(400, 'We could not verify this sign-in.', 'Start again from the patient’s chart.'),
  state_used: row(400, 'This sign-in answer was already used.', 'Start again from the patient’s chart.'),
  staff_only: row(
    403,
    'The worklist is for the staff of the practice.',
    'Sign in with your staff account. If you did, ask your IT support whether the EHR says who you are.',
  ),
  not_yours: row(
    403,
    'This request is with a colleague.',
    'Open the patient’s chart and start this app from there, or ask your colleague to assign it to you.',
  ),
  act_refused: row(
    403,
    'Only the staff of the practice can do this.',
    'Ask the practice to do it. If you are staff, ask your IT support whether the EHR says who you are.',
  ),
  cookies_blocked: row(
    400,
    'Your browser did not keep this app’s cookie.',
    'Open this app in a window of its own, or allow cookies for it in this frame.',
  ),
  ehr_denied: row(
    403,
    'The EHR did not grant access.',
    'Start again from the chart. If it keeps happening, contact your IT support.',
  ),
  client_refused: row(
    502,
    'The EHR does not accept the bridge as its client.',
    'Launching again does not help. The operator of the bridge must correct this site’s client id, secret or key; ' +
      'the log says what to check.',
  ),
  registration_refused: row(
    502,
    'The EHR does not take what this app asks for at sign-in.',
    'Launching again does not help. The operator of the bridge must correct this site’s scopes or addresses, here or ' +
      'at the EHR; the log says what to check.',
  ),
  token_failed: row(502, 'The EHR did not complete the sign-in.', 'Start again from the patient’s chart.'),
  token_invalid: row(
    502,
    'The EHR’s sign-in answer cannot be trusted.',
    'Start again. If it keeps happening, contact your IT support.',
  ),
  patient_missing: row(
    403,
    'The EHR named no patient for this launch.',
    'Open a patient’s chart first, then open this app from it.',
  ),
  patient_mismatch: row(
    409,
    'The EHR answered with another patient’s data. Nothing was kept.',
    'Close this window and open this app again from the right chart. Report this to your IT support.',
  ),
  relaunch_required: row(
    401,
    'Your session has ended.',
    'Open this app again from the patient’s chart. What was saved is there.',
  ),
  launch_not_found: row(404, 'Your session has ended.', 'Open this app again from the patient’s chart.'),
  // EHR reads and writes (ehr/, writeback/)
  ehr_unreachable: row(502, 'The EHR cannot be reached.', 'Try again in a minute.'),
  ehr_error: row(502, 'The EHR answered with an error.', 'Try again. If it keeps happening, contact your IT support.'),
  ehr_forbidden: row(
    403,
    'The EHR does not allow this access.',
    'Contact your IT support: the named scope must be granted to this app.',
  ),
  ehr_not_fhir: row(
    502,
    'The EHR answered with something that is not FHIR.',
    'Try again. If it keeps happening, contact your IT support.',
  ),
  ehr_foreign_address: row(
    502,
    'The EHR pointed to another server; this app did not follow.',
    'Contact your IT support.',
  ),
  ehr_conflict: row(
    409,
    'The resource in the EHR was changed by someone else.',
    'This app reads it again and retries by itself.',
  ),
  ehr_write_refused: row(
    502,
    'The EHR refused to store the document or task.',
    'Open the request, download the letter there, or save it to the chart again.',
  ),
  ehr_write_unclear: row(
    502,
    'The document or task was sent to the EHR, but its answer was lost.',
    'This app looks for it in the chart before it sends again.',
  ),
  ehr_change_not_shown: row(
    502,
    'The EHR took a letter or the change of a task and does not show it.',
    'This app reads it again and changes it anew by itself.',
  ),
  // prior-authorization service (service/)
  service_unreachable: row(
    502,
    'The prior-authorization service cannot be reached.',
    'Nothing was sent. Try again in a minute.',
  ),
  service_unauthorized: row(
    502,
    'The prior-authorization service refused this app’s token.',
    'Contact your IT support: the service token of this site must be checked.',
  ),
  service_refused: row(
    422,
    'The prior-authorization service refused the request.',
    'Correct what it names and send again. If it names nothing, check the request and contact your IT support.',
  ),
  service_too_large: row(
    422,
    'The request is too large for the prior-authorization service.',
    'Take away an attached document or an image of the insurance card, then send again.',
  ),
  service_error: row(502, 'The prior-authorization service failed.', 'Try again in a minute.'),
  service_unclear: row(
    502,
    'We could not confirm delivery.',
    'Do not send it again before it is known whether it arrived; its page says how it stands.',
  ),
  service_id_wrong: row(
    422,
    'This ID belongs to no request of this order.',
    'Look the request up in the service by patient and drug, and enter its ID.',
  ),
  service_second_request: row(
    409,
    'A second request of ours exists at the service.',
    'Cancel one of them; this app follows the other.',
  ),
  service_not_found: row(
    404,
    'The prior-authorization service does not know this request.',
    'Open the request’s page; your IT support may have to look it up.',
  ),
  service_rate_limited: row(
    503,
    'The prior-authorization service asks this app to slow down.',
    'This app tries again by itself.',
  ),
  service_file_refused: row(
    502,
    'A file at the prior-authorization service could not be taken over.',
    'Open the request in the service and download it there.',
  ),
  service_contract: row(
    502,
    'The prior-authorization service answered in an unknown form.',
    'Contact your IT support.',
  ),
  // cases (cases/)
  order_not_candidate: row(
    409,
    'No request can be made for this order.',
    'Go back and choose another order; the list says why for each.',
  ),
  case_not_found: row(404, 'This request is not known here.', 'Open it from the chart it was sent from.'),
  case_not_ready: row(422, 'The request is not complete yet.', 'Fill in what the page names, then send.'),
  benefits_not_offered: row(
    404,
    'This site does not offer benefit verification.',
    'The operator can turn it on: set the site’s service profile to current. Requests of before are still followed.',
  ),
  case_already_sent: row(409, 'This request was already sent.', 'Open the request to see how it stands.'),
  case_duplicate: row(
    409,
    'A request for this drug is already under way for this patient.',
    'Look at that request first; to send this one beside it, confirm that you have seen the other.',
  ),
  signature_required: row(
    409,
    'This practice sends nothing without the prescriber’s signature, and this request has none.',
    'Hand it over for signature first. What was changed after a signature needs a new one.',
  ),
  signature_changed: row(
    409,
    'What this page shows is no longer what waits for a signature, so nothing was signed or returned.',
    'Open it again from the worklist to see how it stands now.',
  ),
  sign_refused: row(
    403,
    'You may not sign for this order.',
    'Only the order’s prescriber, or whom the practice names for it, can sign. Your IT support knows who that is.',
  ),
  reply_decided: row(
    409,
    'This request already has a decision, so a reply cannot be sent.',
    'Open the request to see the decision.',
  ),
  round_over: row(
    409,
    'The payer’s question was closed in the meantime, so this reply was not sent.',
    'Open the request to see how it stands. What you wrote can still be faxed or told by phone.',
  ),
  reply_crossed: row(
    409,
    'The question or its replies changed while this page was open, so this reply was not sent.',
    'Open the request, see what is new there, then reply again.',
  ),
  case_not_cancellable: row(
    409,
    'This request already has a decision, so it cannot be canceled.',
    'Open the request to see the decision.',
  ),
  case_changed: row(
    409,
    'The chart in this window is not the one the request was made for.',
    'Close the other window, or open this app again from the right chart.',
  ),
  site_gone: row(
    500,
    'A site with open cases is not in the sites file any more.',
    'Put it back, or switch it off with "enabled": false; its cases rest until then.',
  ),
  erase_refused: row(
    409,
    'A request of this patient is still under way.',
    'Wait until it has ended and its outcome is in the chart, or cancel it; then erase again.',
  ),
  store_locked: row(
    503,
    'Another process uses the data folder.',
    'Stop the other process, or point this one to another folder.',
  ),
  store_older: row(
    503,
    'No released version of the bridge made this store.',
    'Name another data folder or database, or move this one away; nothing in it was changed.',
  ),
  store_newer: row(
    503,
    'A newer version of the bridge has changed the store.',
    'Start that version or a later one; this one has stopped using the store and changed nothing.',
  ),
  store_unavailable: row(
    503,
    'This app’s data cannot be reached.',
    'Try again in a minute. If it keeps happening, contact your IT support.',
  ),
  webhook_unauthorized: row(401, 'The webhook’s signature is not valid.', 'Check the webhook secret of this site.'),
  // input of operators and engineers (batch/, cli, config)
  config_invalid: row(500, 'The configuration is not valid.', 'Correct the named keys and start again.'),
  input_unreadable: row(400, 'The input cannot be read.', 'Check the named file and line.'),
  input_empty: row(
    400,
    'There is no FHIR in the input.',
    'Name files or folders with FHIR JSON (Bundles, resources, NDJSON, CDS Hooks requests), plain or gzipped.',
  ),
  too_many_errors: row(
    400,
    'More of the input than --max-errors allows could not be read or mapped.',
    'Correct the input, or name a higher number. With --resume the run goes on where it stopped.',
  ),
  disk_full: row(
    507,
    'The disk is full.',
    'Free space there, or name other folders: --out for the output, TMPDIR for temporary files. With --resume the ' +
      'run goes on where it stopped.',
  ),
  order_not_named: row(400, 'The input holds several medication orders.', 'Name one with --order.'),
  order_not_found: row(
    404,
    'The input holds no such medication order that can be mapped.',
    'Look at what map --json says about the orders of this input.',
  ),
  fixture_not_found: row(
    404,
    'No mapping case has such a name.',
    'Name a part of a case’s name; without one all cases run.',
  ),
  output_unusable: row(400, 'The output folder cannot be used.', 'Name another folder with --out.'),
  port_busy: row(500, 'The port is already in use.', 'Stop the other process, or choose another port.'),
  mapping_invalid: row(500, 'A mapping is not valid.', 'Correct the named expression.'),
  // HTTP
  not_found: row(404, 'There is no such page.', 'Open this app from a patient’s chart in your EHR.'),
  bad_request: row(400, 'The request is not valid.', 'Go back and try again.'),
  forgery: row(403, 'This form was not sent from this app’s own page.', 'Reload the page and try again.'),
  too_many: row(429, 'Too many requests.', 'Wait a minute and try again.'),
  internal: row(
    500,
    'Something went wrong.',
    'Try again. If it keeps happening, give your IT support the reference on this page.',
  ),
} as const satisfies Record<string, ErrorRow>;

export interface ErrorRow {
  readonly status: number;
  readonly title: string;
  readonly next: string;
}

/** The code of a failure: the key of its row in `errors`. */
export type ErrorCode = keyof typeof errors;

/**
 * Facts about a failure that are safe to show and log: codes, counts, FHIR resource types, status numbers. Never a
 * value from a chart.
 */
export type ErrorFacts = Readonly<Record<string, string | number | boolean | readonly string[]>>;

/**
 * A failure outside of the data, by its row in `errors`. `message` consists of the row and `facts` only, so it can be
 * logged and shown.
 *
 * @example
 * try {
 *   mapChart(bundle, { mapping: priorAuth, roles, now: new Date(), order: 'MedicationRequest/9' });
 * } catch (error) {
 *   if (error instanceof BridgeError) console.error(error.code, error.message, error.next);
 * }
 */
export class BridgeError extends Error {
  override readonly name = 'BridgeError';
  readonly status: number;
  readonly next: string;

  constructor(
    readonly code: ErrorCode,
    readonly facts: ErrorFacts = {},
    options: { cause?: unknown; next?: string } = {},
  ) {
    super(`${errors[code].title}${sentence(facts)}`, options.cause === undefined ? {} : { cause: options.cause });
    this.status = errors[code].status;
    this.next = options.next ?? errors[code].next;
  }
}

/**
 * Returns any thrown value as a BridgeError; one of another type becomes `internal`, with the original as its cause.
 */
export function asBridgeError(thrown: unknown): BridgeError {
  return thrown instanceof BridgeError ? thrown : new BridgeError('internal', {}, { cause: thrown });
}

function row(status: number, title: string, next: string): ErrorRow {
  return { status, title, next };
}

function sentence(facts: ErrorFacts): string {
  const parts = Object.entries(facts).map(
    ([key, value]) => `${key}: ${Array.isArray(value) ? value.join(', ') : value}`,
  );
  return parts.length === 0 ? '' : ` (${parts.join('; ')})`;
}
