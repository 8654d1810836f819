// The pages and the states of requests, one after the other over one sandbox whose service moves only when told to.
// `picture(name)` takes what stands on the page then; see take.mjs.

/** Walks through all of them; `world` has the sandbox, a page of the browser, and `picture`. */
export async function walk(world) {
  await sandboxPages(world);
  await openings(world);
  await reviews(world);
  await besideTheReview(world);
  await approved(world);
  await denied(world);
  await asked(world);
  await otherEnds(world);
  await troubles(world);
  await enrollment(world);
  await underWay(world);
  await worklist(world);
  await servicePages(world);
  await playground(world);
  await endings(world);
}

/** What there is only where the service is spoken to in the profile `current`. */
export async function walkBenefits(world) {
  const { page, sandbox, picture } = world;
  await verify(world, 'complete-patient');
  await picture('benefits-review');
  await toConfirm(world);
  await picture('benefits-confirm');
  const id = await sendBenefits(world);
  await picture('benefits-pending');
  await step(world, id, 'Covered: prior authorization required');
  await inChart(page);
  await picture('benefits-answer');
  await page.getByRole('link', { name: 'All orders' }).last().click();
  await page.getByRole('heading', { name: 'Orders and requests' }).waitFor();
  await picture('benefits-orders');
  sandbox.service.switches.set({ switch: 'unknown-outcome', value: { result: 'covered_in_part' } });
  await verify(world, 'contained-patient');
  await toConfirm(world);
  await step(world, await sendBenefits(world), 'Needs your review');
  await inChart(page);
  await picture('benefits-unclear');
  sandbox.service.switches.clear();
  await page.getByRole('link', { name: 'Worklist' }).click();
  await page.getByRole('heading', { name: 'Prior authorizations' }).waitFor();
  await picture('benefits-worklist');
  await page.goto(`${sandbox.service.url}/`);
  await picture('benefits-service-list');
  await page.goto(`${sandbox.service.url}/benefit-verifications/${id}`);
  await picture('benefits-service-record');
}

/** A payer that asks back, which the service tells in the profile `current` alone. */
export async function walkQuestions(world) {
  const { page, sandbox, picture } = world;
  const text = 'Has the patient tried and failed methotrexate? Please send the date of the last visit, too.';
  sandbox.service.switches.set({ switch: 'payer-asks', value: { text, channels: ['fax'], file: true } });
  await launch(world, 'complete-patient');
  await toConfirm(world);
  const id = await send(world);
  for (let status = ''; status !== 'awaiting_provider_response'; ) status = await sandbox.service.step(id);
  await page.locator('#question-news', { hasText: 'have changed' }).waitFor();
  await page.reload();
  await page.locator('#question-1').waitFor();
  await picture('case-asked');
  await page.getByRole('link', { name: 'Keep for next time' }).click();
  await page.getByLabel('I have read it. It names nobody.').check();
  await picture('question-keep');
  await press(page, 'Keep it');
  await press(page, 'Send the reply');
  await page.getByText('has reached the service').waitFor();
  await picture('case-replied');
}

async function verify(world, patient) {
  const { page } = world;
  await launch(world, patient);
  await page.getByRole('link', { name: 'Orders' }).click();
  await page.getByRole('link', { name: 'Verify benefits' }).first().click();
  await page.getByRole('button', { name: 'Review and send' }).waitFor();
}

async function sendBenefits({ page }) {
  await press(page, /^Send for /);
  await page.waitForURL(/\/cases\//);
  await standing(page, 'Benefits being verified');
  return (await page.locator('dd', { hasText: /^bv_/ }).textContent()) ?? '';
}

async function sandboxPages({ page, sandbox, picture }) {
  await page.goto(`${sandbox.ehr.url}/`);
  await picture('ehr-patients');
  await page.goto(`${sandbox.ehr.url}/patients/complete-patient`);
  await picture('ehr-chart');
  await page.goto(`${sandbox.ehr.url}/sandbox/faults`);
  await picture('ehr-faults');
}

async function openings(world) {
  const { page, sandbox, picture } = world;
  await page.goto(`${sandbox.url}/`);
  await picture('sign-in');
  await page.goto(`${sandbox.url}/launch?iss=https://nowhere.example&launch=none`);
  await picture('error-unknown-ehr');
  await page.goto(`${sandbox.url}/app/launch-that-nobody-has-made-0001/orders`);
  await picture('error-session-ended');
  await launch(world, 'complete-patient');
  await page.getByRole('link', { name: 'Orders' }).click();
  await page.getByRole('heading', { name: 'Orders and requests' }).waitFor();
  await picture('orders');
  await page.getByRole('button', { name: 'End session' }).click();
  await page.getByRole('heading', { name: 'You are signed out.' }).waitFor();
  await picture('signed-out');
}

async function reviews(world) {
  const { page, picture } = world;
  for (const [patient, name] of [
    ['complete-patient', 'review-complete'],
    ['gaps-patient', 'review-many-gaps'],
    ['bothfit-patient', 'review-two-plans'],
    ['differ-patient', 'review-sources-differ'],
    ['card-patient', 'review-card'],
    ['long-patient', 'review-long'],
  ]) {
    await launch(world, patient);
    await picture(name);
  }
  await launch(world, 'norx-patient');
  for (const fold of await page.locator('details[id^="fold-section-"] > summary').all()) await fold.click();
  await picture('review-unfolded');
  await page.getByRole('button', { name: /^Show technical details/ }).click();
  await picture('review-technical');
  await page.evaluate(() => {
    document.getElementById('session-end').hidden = false;
  });
  await picture('session-warning');
  await launch(world, 'norx-patient');
  await page.locator('#fold-section-prescription > summary').click();
  await page.locator('#field-prescription-drug_name').fill('Cimzia');
  await page.locator('#fold-section-prescription > summary', { hasText: 'Cimzia' }).waitFor();
  await toConfirm(world);
  await picture('confirm-changed-drug');
  await page.getByRole('link', { name: 'Back to edit' }).click();
  await page.locator('#fold-section-prescription > summary').click();
  await page.locator('#field-prescription-drug_name').fill('Otezla');
  await page.locator('#fold-section-prescription > summary', { hasText: 'Otezla' }).waitFor();
}

async function besideTheReview(world) {
  const { page, picture } = world;
  await launch(world, 'steptx-patient');
  const here = page.url().replace(/[?#].*/, '');
  await page
    .getByRole('link', { name: /^Preview/ })
    .first()
    .click();
  await picture('preview');
  for (const [path, name] of [
    ['/find/diagnosis?q=diabetes', 'find-code'],
    ['/find/pharmacy?q=a', 'find-pharmacy'],
    ['/attach/document', 'attach-document'],
    ['/attach/card', 'attach-card'],
  ]) {
    await page.goto(`${here}${path}`);
    await picture(name);
  }
}

/** One gap, two documents, each status up to the approval, and the chart afterwards. */
async function approved(world) {
  const { page, sandbox, picture } = world;
  await launch(world, 'snomed-patient');
  await picture('review');
  await page.getByLabel('ICD-10-CM code', { exact: true }).fill('E66.9');
  await page.getByRole('button', { name: 'Attach these 2' }).click();
  await page.locator('#verdict', { hasText: '2 documents attached' }).waitFor();
  await picture('review-ready');
  await toConfirm(world);
  await picture('confirm');
  const id = await send(world);
  await picture('case-received');
  for (const [status, name] of [
    ['Your review is needed', 'case-review-needed'],
    ['With the payer', 'case-with-payer'],
    ['Checking the payer’s answer', 'case-checking'],
    ['Approved', 'case'],
  ]) {
    await step(world, id, status);
    if (name === 'case') await inChart(page);
    await picture(name);
  }
  await page.goto(`${sandbox.ehr.url}/patients/snomed-patient`);
  await page.getByText('Open PDF').first().waitFor();
  await page.evaluate(() => {
    for (const heading of document.querySelectorAll('h2'))
      if (heading.textContent === 'Tasks') heading.scrollIntoView({ block: 'start' });
    scrollBy(0, -40);
  });
  await picture('chart');
}

async function denied(world) {
  const { page, picture } = world;
  await launch(world, 'twocov-patient');
  await toConfirm(world);
  const id = await send(world);
  await endOf(world, id);
  await page.locator('#standing', { hasText: 'Denied' }).waitFor();
  await inChart(page);
  await picture('case-denied');
  await page.getByRole('link', { name: 'Ask for an exception' }).click();
  await page.getByRole('heading', { name: 'What is carried over' }).waitFor();
  await picture('again');
}

/** The payer asks the prescriber something on the way. */
async function asked(world) {
  const { page, sandbox, picture } = world;
  await launch(world, 'asked-patient');
  await toConfirm(world);
  const id = await send(world);
  await step(world, id, 'Your review is needed');
  await step(world, id, 'The payer asks');
  // A question that comes while the page is open is shown once it is loaded again.
  await page.reload();
  await page.locator('.asked').waitFor();
  await picture('case-question');
  await page.goto(`${sandbox.service.url}/prior-authorizations/${id}`);
  await picture('service-record');
}

async function otherEnds(world) {
  const { page, picture } = world;
  for (const [patient, title, name] of [
    ['failed-patient', 'Could not be completed', 'case-failed'],
    ['selfrep-patient', 'No prior authorization needed', 'case-not-needed'],
  ]) {
    await launch(world, patient);
    await toConfirm(world);
    await endOf(world, await send(world));
    await standing(page, title);
    await inChart(page);
    await picture(name);
  }
  await launch(world, 'card-patient');
  await toConfirm(world);
  await send(world);
  await page.locator('details.cancel > summary').click();
  await page.getByLabel('Reason', { exact: true }).selectOption('Sent by mistake');
  await page.getByRole('button', { name: /^Cancel this request/ }).click();
  await standing(page, 'Canceled');
  await picture('case-canceled');
}

/** An answer that is lost, a request that is refused, and a chart that takes no documents. */
async function troubles(world) {
  const { page, sandbox, picture } = world;
  const create = { method: 'POST', path: '/prior-authorization', times: 1 };
  await launch(world, 'norx-patient');
  await toConfirm(world);
  sandbox.service.switches.set({ switch: 'status', value: { status: 422 }, ...create });
  await press(page, /^Send for /);
  await page.getByRole('heading', { name: 'Not sent' }).waitFor();
  await picture('review-refused');
  await toConfirm(world);
  sandbox.service.switches.set({ switch: 'drop', value: 'before', path: '/prior-authorization*', times: 30 });
  await press(page, /^Send for /);
  await page.waitForURL(/\/cases\//);
  await page.locator('#standing').waitFor();
  await picture('case-delivery');
  sandbox.service.switches.clear();

  sandbox.ehr.switches.set({ switch: 'refuse-create', value: { type: 'DocumentReference', status: 422 } });
  await launch(world, 'steptx-patient');
  await toConfirm(world);
  await endOf(world, await send(world));
  await page.getByRole('heading', { name: /^Not saved to the chart/ }).waitFor();
  await picture('case-not-saved');
  sandbox.ehr.switches.clear();
}

async function enrollment(world) {
  const { page, picture } = world;
  await launch(world, 'taper-patient');
  await page.getByRole('link', { name: 'Orders' }).click();
  await page.getByRole('link', { name: 'Enroll in a program' }).first().click();
  await page.locator('#verdict', { hasText: 'Consent' }).waitFor();
  await picture('enrollment');
  const here = page.url().replace(/[?#].*/, '');
  await page.getByRole('link', { name: 'Attach a scan of the signed consent' }).click();
  await picture('attach-consent');
  await page.goto(here);
  await page.getByLabel('Given by').fill('the patient');
  await page.getByLabel('On', { exact: true }).fill(new Date().toISOString().slice(0, 10));
  await page.getByLabel('Recorded as').selectOption('Signed form');
  await page.locator('#verdict', { hasText: 'Ready' }).waitFor();
  await toConfirm(world);
  await picture('enrollment-confirm');
  await press(page, /^Send for /);
  await standing(page, 'Submitted to the program');
  await inChart(page);
  await picture('enrollment-sent');
}

/** Requests that wait for the practice or are with the payer, so that the worklist has lines. */
async function underWay(world) {
  await launch(world, 'complete-patient');
  await toConfirm(world);
  await step(world, await send(world), 'Your review is needed');
  await launch(world, 'contained-patient');
  await toConfirm(world);
  const id = await send(world);
  await step(world, id, 'Your review is needed');
  await step(world, id, 'With the payer');
}

async function worklist({ page, picture }) {
  await page.getByRole('link', { name: 'Worklist' }).click();
  const line = page.getByRole('link', { name: 'Marisol June Tennyson' });
  await line.waitFor();
  await picture('worklist');
  for (const [part, name] of [
    [/^Waiting on others/, 'worklist-payer'],
    [/^Decided/, 'worklist-decided'],
    [/^Approvals that end/, 'worklist-ending'],
    [/^Needs you/, undefined],
  ]) {
    await page.getByRole('link', { name: part }).click();
    if (name !== undefined) await picture(name);
  }
  await line.click();
  await page.getByRole('heading', { name: 'Notes for colleagues' }).waitFor();
  await picture('worklist-line');
}

async function servicePages({ page, sandbox, picture }) {
  await page.goto(`${sandbox.service.url}/`);
  await picture('service-list');
  await page.goto(`${sandbox.service.url}/sandbox/faults`);
  await picture('service-faults');
}

async function endings(world) {
  const { page, sandbox, picture } = world;
  await page.goto(`${sandbox.ehr.url}/patients/complete-patient/frame/complete-order`);
  await page.frameLocator('iframe').getByRole('heading', { level: 1 }).waitFor();
  await picture('frame');
}

async function playground({ page, sandbox, picture }) {
  await page.goto(`${sandbox.url}/playground?chart=story-no-rxbin`);
  await page.locator('[data-target="patient.date_of_birth"] .pick').click();
  await page.locator('#lit:not(:empty)').waitFor();
  await picture('playground');
}

/** From the chart of the sandbox EHR to the review of the first order. */
async function launch({ page, sandbox }, patient) {
  await page.goto(`${sandbox.ehr.url}/patients/${patient}`);
  await page
    .getByRole('button', { name: /Start prior authorization/ })
    .first()
    .click();
  // the page that waits for the chart has the same address
  await page.locator('#review').waitFor();
}

async function press(page, name) {
  await page.getByRole('button', { name }).click();
}

async function toConfirm({ page }) {
  await page.getByRole('button', { name: 'Review and send' }).click();
  await page.waitForURL(/\/confirm$/);
}

/** Sends, waits until the service has it, and says which request it is there. */
async function send({ page }) {
  await press(page, /^Send for /);
  await page.waitForURL(/\/cases\//);
  await standing(page, 'Received');
  return (await page.locator('dd', { hasText: /^pa_/ }).textContent()) ?? '';
}

async function step({ page, sandbox }, id, label) {
  await sandbox.service.step(id);
  await standing(page, label);
}

async function endOf({ sandbox }, id) {
  for (let before = ''; ; ) {
    const status = await sandbox.service.step(id);
    if (status === before) return;
    before = status;
  }
}

async function standing(page, label) {
  await page.locator('#standing', { hasText: label }).waitFor();
}

/** The page follows a request until everything is in the chart. */
async function inChart(page) {
  await page.locator('#status:not([hx-get])').waitFor();
}
