import { afterEach, expect, test } from 'vitest';
import { formOf, openScene, type Scene } from '../../support.ts';

let scene: Scene;
afterEach(() => scene?.app.close());

const review = () => `${scene.home}/orders/${scene.order}`;
const state = 'f.patient.address.state_province';

async function save(changes: Record<string, string>) {
  const { body } = await scene.get(review());
  await scene.post(review(), { ...formOf(body, 'review'), ...changes, action: 'save' });
  return (await scene.get(review())).body;
}

const controlOf = (page: string) => new RegExp(`<(\\w+) [^>]*name="${state}"`).exec(page)?.[1];

test('a state is chosen from the list of states and territories, its letters first', async () => {
  scene = await openScene('story-complete');
  const { body } = await scene.get(review());
  expect(controlOf(body)).toBe('select');
  expect(body).toContain('<option value="PR">PR · Puerto Rico</option>');
  expect(await save({ [state]: 'WI' })).toContain('<option value="WI" selected>WI · Wisconsin</option>');
});

test('what is no state stays to be seen and corrected', async () => {
  scene = await openScene('story-complete');
  const page = await save({ [state]: 'Illinoi' });
  expect(formOf(page, 'review')[state]).toEqual(['Illinoi']);
  expect(page).toContain('1 to fix');
});

test('an address of another country has any text', async () => {
  scene = await openScene('story-complete');
  const page = await save({ 'f.patient.address.country': 'CAN', [state]: 'Ontario' });
  expect(controlOf(page)).toBe('input');
  expect(page).not.toContain('two letters, such as IL');
});

test('a phone shows its number keys for what is digits alone: NPI, RxBIN, days, and a ZIP code of the US', async () => {
  scene = await openScene('story-complete');
  const { body } = await scene.get(review());
  const keysOf = (page: string, target: string) =>
    /inputmode="(\w+)"/i.exec(new RegExp(`<input [^>]*name="f\\.${target}"[^>]*>`).exec(page)?.[0] ?? '')?.[1];
  const told = (page: string) =>
    ['provider.npi', 'insurance_content.rx_bin', 'prescription.days_supply', 'patient.address.zip_postal_code'].map(
      (target) => keysOf(page, target),
    );
  expect(told(body)).toEqual(['numeric', 'numeric', 'numeric', 'numeric']);
  expect(keysOf(body, 'prescription.quantity')).toBe('decimal');
  expect(keysOf(body, 'insurance_content.member_number')).toBeUndefined();
  const canadian = await save({ 'f.patient.address.country': 'CAN', [state]: 'Ontario' });
  expect(keysOf(canadian, 'patient.address.zip_postal_code')).toBeUndefined();
});
