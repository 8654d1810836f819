import type { Resource } from 'fhir/r4.js';
import { afterEach, describe, expect, test } from 'vitest';
import { openScene, type Scene } from '../../support.ts';

let scene: Scene;
afterEach(() => scene?.app.close());

/** A scene whose EHR gives nothing of these types, since it could not be asked, or has nothing of them. */
async function sceneWithout(types: readonly string[], unread: readonly string[] = types): Promise<Scene> {
  scene = await openScene('story-complete', (deps) => ({
    ...deps,
    readChart: async () => ({
      entries: scene.resources.map((resource) => ({ resource })),
      rounds: 1,
      warnings: unread.map((type) => `${type} could not be read (ehr_error 501).`),
      forbidden: [],
      unread,
    }),
  }));
  scene.resources = scene.resources.filter(({ resourceType }) => !types.includes(resourceType));
  return scene;
}

const textOf = (body: string) => body.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');
const reviewOf = async (one: Scene) => textOf((await one.get(`${one.home}/orders/${one.order}`)).body);
const withoutReason = ({ resourceType, ...rest }: Resource): Resource => {
  const { reasonCode, reasonReference, ...order } = rest as { reasonCode?: unknown; reasonReference?: unknown };
  return { resourceType, ...(resourceType === 'MedicationRequest' ? order : rest) } as Resource;
};

describe('[E4] what could not be read is asked as that, with a way to try again', () => {
  test('the insurance', async () => {
    const page = await reviewOf(await sceneWithout(['Coverage']));
    expect(page).toContain('Coverage could not be read (ehr_error 501).');
    expect(page).toContain('this part of the chart could not be read. Refresh from the chart, or enter it.');
    expect(page).toContain('Refresh from chart');
    expect(page).not.toMatch(/member number is missing|chart has no Coverage/i);
  });

  test('is not said where the chart has none', async () => {
    const page = await reviewOf(await sceneWithout(['Coverage'], []));
    expect(page).not.toContain('could not be read');
  });

  test('the reasons', async () => {
    await sceneWithout(['Condition']);
    scene.resources = scene.resources.map(withoutReason);
    const page = await reviewOf(scene);
    expect(page).toContain('the patient’s problems could not be read');
    expect(page).not.toContain('the chart has no active problem');
  });

  test('documents', async () => {
    const types = ['Observation', 'DiagnosticReport', 'MedicationStatement', 'MedicationDispense', 'DocumentReference'];
    const also = ['AllergyIntolerance', 'Procedure', 'Condition'];
    await sceneWithout([...types, ...also], types);
    scene.resources = scene.resources.filter(({ resourceType, id }) => {
      return resourceType !== 'MedicationRequest' || id === scene.order;
    });
    const page = await reviewOf(scene);
    expect(page).not.toContain('The chart has no earlier treatment');
    expect(page).toContain('not all of the chart could be read');
  });
});

describe('[E3] the list of orders', () => {
  const listOf = async (one: Scene) => (await one.get(`${one.home}/orders`)).body;
  const none = 'No active medication order in this chart can get a prior authorization.';

  test('says nothing about orders that were not all read, and offers to read the chart again', async () => {
    await sceneWithout([], ['MedicationRequest']);
    scene.resources = scene.resources.filter(({ resourceType }) => resourceType === 'Patient');
    const page = await listOf(scene);
    expect(page).not.toContain(none);
    expect(page).toContain('Not all medication orders of this chart could be read.');
    expect(page).toContain(`href="${scene.home}/orders?again=1"`);
  });

  test('where all were read and none fits', async () => {
    await sceneWithout([], []);
    scene.resources = scene.resources.filter(({ resourceType }) => resourceType === 'Patient');
    const page = await listOf(scene);
    expect(page).toContain(none);
    expect(page).not.toContain('?again=1');
  });

  test('reads the chart again when it is asked to', async () => {
    await sceneWithout([], ['MedicationRequest']);
    const all = scene.resources;
    scene.resources = all.filter(({ resourceType }) => resourceType === 'Patient');
    await listOf(scene);
    scene.resources = all;
    expect((await scene.get(`${scene.home}/orders?again=1`)).headers.location).toBe(`${scene.home}/orders`);
    expect(await listOf(scene)).toContain('Start prior authorization');
  });
});
