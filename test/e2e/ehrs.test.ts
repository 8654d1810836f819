import type { Communication, DocumentReference, Provenance, Resource, Task } from 'fhir/r4.js';
import { afterEach, expect, test } from 'vitest';
import { silentLog } from '../../src/base/log.ts';
import { profiles } from '../../src/core/contract/profile.ts';
import { productIds } from '../../src/dev/sandbox/ehr/products.ts';
import { type Sandbox, startSandbox } from '../../src/dev/sandbox/index.ts';
import { writtenAt } from '../ehrs/written.ts';
import { putDatabase } from '../support/embedded.ts';
import { fhirProblems } from '../support/fhir-validate.ts';
import { tempFolder } from '../support/temp.ts';
import { closePages, expectAccessible, openTab } from './browser.ts';

// One story at each EHR that the sandbox can be, the profiles of the service in turn: from the chart to the payer's
// answer, and what is in the chart then.

const closing: (() => unknown)[] = [];
afterEach(async () => {
  await closePages();
  for (const close of closing.splice(0)) await close();
});

const stories = productIds.map((product, at) => ({ product, profile: profiles[at % profiles.length] ?? 'current' }));

test.each(stories)('$product, $profile: launch, send, follow, and what is in the chart then', async (story) => {
  const { product } = story;
  const sandbox = await sandboxAs(story);
  const { page, problems } = await openTab();
  await page.goto(`${sandbox.ehr.url}/patients/complete-patient`);
  await page.getByText('Start prior authorization').first().click();
  await page.waitForURL((url) => url.href.startsWith(`${sandbox.url}/app/`));
  await expect.poll(() => page.locator('.patient').textContent()).toContain('Marisol June Tennyson');
  await page.getByRole('button', { name: 'Review and send' }).click();
  await page.getByRole('button', { name: 'Send for Marisol June Tennyson' }).click();
  await page.waitForURL(/\/cases\//);

  const id = (await page.locator('dd', { hasText: /^pa_/ }).textContent()) ?? '';
  let status = '';
  while (status !== 'completed') status = (await sandbox.service.step(id)) ?? '';
  await page.locator('#status:not([hx-get])').waitFor();
  const section = page.locator('section[aria-labelledby="written"]');
  await expect.poll(() => section.textContent()).toMatch(writtenAt[product].says);
  await expectAccessible(page);
  // What the EHR never takes is not offered to be tried again.
  expect(await page.getByRole('button', { name: 'Save to the chart again' }).count()).toBe(0);

  const written = await writtenIn(sandbox);
  expect(written.map(({ resourceType }) => resourceType).sort()).toEqual(writtenAt[product].written);
  for (const resource of written) expect(fhirProblems(resource)).toEqual([]);
  for (const resource of written) expect(subjectOf(resource)).toBe('Patient/complete-patient');
  const task = written.find((resource): resource is Task => resource.resourceType === 'Task');
  if (task !== undefined) expect(task.status).toBe('completed');
  expect(problems).toEqual([]);
});

async function sandboxAs({ product, profile }: (typeof stories)[number]): Promise<Sandbox> {
  const folder = tempFolder(`ehr-${product}`);
  await putDatabase(`${folder.path}/bridge`);
  const clock = () => new Date();
  const sandbox = await startSandbox({
    dataDir: folder.path,
    port: 0,
    speed: 0,
    product,
    service: { profile, prescription: 'named' },
    clock,
    log: silentLog,
  });
  closing.push(
    () => sandbox.close(),
    () => folder.remove(),
  );
  return sandbox;
}

/** What was written since the EHR began, as it stands now. */
async function writtenIn({ ehr }: Sandbox): Promise<Resource[]> {
  const answer = await fetch(`${ehr.url}/sandbox/ledger?kind=write.created`);
  const { entries } = (await answer.json()) as { entries: { resource: string }[] }; // the ledger's own form
  return entries.flatMap(({ resource }) => ehr.peek(resource) ?? []);
}

function subjectOf(resource: Resource): string | undefined {
  if (resource.resourceType === 'Task') return (resource as Task).for?.reference;
  // Of what it says that a resource was made of, the patient stands first.
  if (resource.resourceType === 'Provenance') return (resource as Provenance).entity?.[0]?.what.reference;
  return (resource as DocumentReference | Communication).subject?.reference;
}
