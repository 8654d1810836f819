// The pages and the states of requests, one after the other over one sandbox whose service moves only when told to.
// `picture(name)` takes what stands on the page then; see take.mjs.

/** Walks through all of them; `world` has the sandbox, a page of the browser, and `picture`. */
export async function walk(world) {
  await sandboxPages(world);
  await approved(world);
  await denied(world);
  await underWay(world);
  await worklist(world);
  await playground(world);
}

async function sandboxPages({ page, sandbox, picture }) {
  await page.goto(`${sandbox.ehr.url}/`);
  await picture('ehr-patients');
  await page.goto(`${sandbox.ehr.url}/patients/complete-patient`);
  await picture('ehr-chart');
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
  await page.getByRole('link', { name: 'New request with what was missing' }).click();
  await page.getByRole('heading', { name: 'What is carried over' }).waitFor();
  await picture('again');
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
  await page.getByRole('link', { name: 'Marisol June Tennyson' }).waitFor();
  await picture('worklist');
  await page.getByRole('link', { name: 'Marisol June Tennyson' }).click();
  await page.getByRole('heading', { name: 'Notes for colleagues' }).waitFor();
  await picture('worklist-line');
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
  await page.waitForURL(/\/orders\//);
}

async function toConfirm({ page }) {
  await page.getByRole('button', { name: 'Review and send' }).click();
  await page.waitForURL(/\/confirm$/);
}

/** Sends, waits until the service has it, and says which request it is there. */
async function send({ page }) {
  await page.getByRole('button', { name: /^Send for / }).click();
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
