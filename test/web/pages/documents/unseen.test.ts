import type { Resource } from 'fhir/r4.js';
import { afterEach, expect, test } from 'vitest';
import { formOf, openScene, type Scene } from '../../support.ts';

let scene: Scene;
afterEach(() => scene?.app.close());

const unseen = /[\0\u200b\u202e]/;
/** What a person reads, and what a page writes from it: references, codes and addresses stay as they are. */
const texts = new Set(['family', 'given', 'prefix', 'suffix', 'text', 'display', 'name', 'patientInstruction']);

/** The resource with characters that nobody sees in all that people read. */
function spoilt(resource: Resource): Resource {
  return JSON.parse(JSON.stringify(resource), (key, value) => {
    if (!texts.has(key)) return value;
    return Array.isArray(value) ? value.map(withUnseen) : withUnseen(value);
  });
}

function withUnseen(text: unknown): unknown {
  return typeof text === 'string' ? `\u202e${text.slice(0, 2)}\0${text.slice(2)}\u200b` : text;
}

test('characters that nobody sees stand on no page, nor in what is kept of the patient [S31]', async () => {
  scene = await openScene('story-complete');
  scene.resources = scene.resources.map(spoilt);
  const review = `${scene.home}/orders/${scene.order}`;
  const shown = await scene.get(review);
  await scene.post(review, { ...formOf(shown.body), action: 'save' });
  const confirm = await scene.get(`${review}/confirm`);
  const others = [await scene.get(`${scene.home}/orders`), await scene.get(`${review}/enrollment`)];
  for (const { status, body } of [shown, confirm, ...others]) {
    expect(status).toBe(200);
    expect(body).toContain('<p class="patient-name">Marisol June Tennyson</p>');
    expect(unseen.exec(body)).toBeNull();
  }
  expect(confirm.body).toContain('Send for Marisol June Tennyson without documents</button>');
  expect([...scene.cases.all.values()].map(({ banner }) => banner.name)).toEqual([
    'Marisol June Tennyson',
    'Marisol June Tennyson',
  ]);
});

test('nor on the page of a case that was stored with them, nor in the part that is polled [S31]', async () => {
  scene = await openScene('story-complete');
  const { id } = scene.cases.put({
    site: 'valley',
    patient: `Patient/${scene.smart.launch.patient}`,
    state: 'open',
    title: '\u202ePlai\0nstat\u200b',
    banner: { name: 'Mari\u200bsol\0 Tenny\u202eson' },
    history: [{ at: '2026-11-20T10:00:00.000Z', what: 'Sent', by: { name: 'Ad\u202ewoa\0' } }],
  });
  const page = await scene.get(`${scene.home}/cases/${id}`);
  expect(page.body).toContain('<p class="patient-name">Marisol Tennyson</p>');
  const part = await scene.get(`${scene.home}/cases/${id}/status?seen=before`);
  for (const { status, body } of [page, part]) {
    expect(status).toBe(200);
    expect(body).toContain('Adwoa');
    expect(unseen.exec(body)).toBeNull();
  }
});
