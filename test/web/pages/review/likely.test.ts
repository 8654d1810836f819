import type { Condition, MedicationRequest, Organization, Patient } from 'fhir/r4.js';
import { afterEach, describe, expect, test } from 'vitest';
import { typedWord } from '../../../../mappings/typed-words.ts';
import { loadedCodes } from '../../code-tables.ts';
import { formOf, openScene, type Scene } from '../../support.ts';

let scene: Scene;
afterEach(() => scene?.app.close());

const review = () => `${scene.home}/orders/${scene.order}`;
const theCase = () => [...scene.cases.all.values()][0]!;

async function submit(changes: Record<string, string | string[]>) {
  const page = await scene.get(review());
  return scene.post(review(), { ...formOf(page.body, 'review'), ...changes });
}

const unit = 'prescription.dispense_unit';

/** The order counts what is dispensed without a unit. */
async function openWithoutUnit(): Promise<void> {
  scene = await openScene('story-complete');
  scene.resources = scene.resources.map((resource) => {
    if (resource.resourceType !== 'MedicationRequest') return resource;
    const order = resource as MedicationRequest;
    return { ...order, dispenseRequest: { ...order.dispenseRequest, quantity: { value: 2 } } };
  });
}

const answersFor = (page: string, target: string) =>
  [...page.matchAll(/<(?:button|input)[^>]*name="pick\.([^"]+)"[^>]*value="([^"]+)"/g)]
    .filter(([, name]) => name === target)
    .map(([, , value]) => value);

describe('likely answers', () => {
  test('of a dispense unit follow from the form, with the order’s amount; one click saves', async () => {
    await openWithoutUnit();
    const { body } = await scene.get(review());
    expect(answersFor(body, unit)).toEqual(expect.arrayContaining(['milliliter', 'pack']));
    expect(body).toContain('2 packs');
    await submit({ [`pick.${unit}`]: 'pack' });
    expect(theCase().edits[unit]).toBe('pack');
    expect(theCase().enteredBy?.[unit]).toBeDefined();
  });

  const routes = (page: string) => answersFor(page, 'prescription.route_of_administration');
  const routesListed = (page: string) => {
    const [, list = ''] = /<datalist id="[^"]*route_of_administration-list">(.*?)<\/datalist>/.exec(page) ?? [];
    return [...list.matchAll(/value="([^"]+)"/g)].map(([, value]) => value);
  };

  test('of a route: a pen is for no vein, and the words of the directions decide; they lead the list', async () => {
    scene = await openScene('story-many-gaps');
    const { body } = await scene.get(review());
    expect(routes(body)).toEqual(['subcutaneous', 'intramuscular']);
    await submit({ 'f.prescription.directions': 'Inject 120 mg under the skin once a month' });
    const { body: after } = await scene.get(review());
    expect(routes(after)).toEqual(['subcutaneous']);
    const listed = routesListed(after);
    expect(listed.slice(0, 2)).toEqual(['subcutaneous', 'oral']);
    expect(listed.indexOf('intravenous')).toBeLessThan(listed.indexOf('auricular (otic)'));
  });

  test('of a route: none, where only an injection is known', async () => {
    const device = / Auto-Injector/g;
    scene = await openScene('story-many-gaps');
    scene.resources = JSON.parse(JSON.stringify(scene.resources).replace(device, ' Injection'));
    expect(routes((await scene.get(review())).body)).toEqual([]);
  });

  test('of a dispense unit: a pen is no vial', async () => {
    scene = await openScene('story-many-gaps');
    expect(answersFor((await scene.get(review())).body, unit)).toEqual(['milliliter', 'pack']);
  });

  test('of a new request for the order have what was answered for the last one', async () => {
    await openWithoutUnit();
    await submit({ [`pick.${unit}`]: 'pack' });
    scene.cases.outcome = { state: 'ended', endedAt: '2026-11-21T14:40:00.000Z' };
    await scene.post(`${review()}/confirm`, formOf((await scene.get(`${review()}/confirm`)).body));
    expect(theCase().state).toBe('ended');
    const { body } = await scene.get(`${review()}?anew=1`);
    expect(answersFor(body, unit).filter((value) => value === 'pack')).toHaveLength(1);
    expect(body).toContain('pack, as sent Nov 21, 2026');
  });

  test.each([
    [unit, 'Vials', 'vial'],
    [unit, 'mL', 'milliliter'],
    [unit, 'pen', 'pen'],
    ['prescription.dose_form', 'tabs', 'tablet'],
    ['prescription.route_of_administration', 'PO', 'oral'],
  ])('what is typed in %s goes through the tables of the chart: %s is %s', async (target, typed, word) => {
    scene = await openScene('story-complete', (deps) => ({ ...deps, typedWord }));
    await submit({ [`f.${target}`]: typed });
    expect(theCase().edits[target]).toBe(word);
  });
});

describe('a diagnosis', () => {
  const rows = loadedCodes();
  const obesity = {
    ...rows,
    find: async () => [{ code: 'E66.9', title: 'Obesity, unspecified', billable: true }],
  };

  test('is offered for the order’s own words in the loaded file, each a button with its title', async () => {
    scene = await openScene('story-snomed-only', (deps) => ({ ...deps, codes: obesity }));
    const { body } = await scene.get(review());
    expect(body).toContain('Codes for “Obesity”');
    expect(body).toMatch(
      /<button type="submit" name="diagnosis" value="E66.9"[^>]*><strong>E66.9<\/strong> Obesity, un/,
    );
    await submit({ diagnosis: 'E66.9' });
    expect(theCase().answers.diagnoses).toEqual(['E66.9']);
  });

  test('says that no file is loaded, and promises no search', async () => {
    scene = await openScene('story-snomed-only');
    const { body } = await scene.get(review());
    expect(body).toContain('no ICD-10-CM file is loaded here');
    expect(body).not.toContain('or words to search');
  });

  const mapOf = (targets: { code: string; display?: string }[]) => {
    const problems = scene.resources.filter(({ resourceType }) => resourceType === 'Condition') as Condition[];
    const code = problems.flatMap((one) => one.code?.coding ?? []).find(({ display }) => display === 'Obesity')?.code;
    const target = targets.map((one) => ({ ...one, equivalence: 'wider' as const }));
    const element = [{ code: code ?? '', target }];
    return {
      resourceType: 'ConceptMap' as const,
      title: 'Clinic map',
      status: 'active' as const,
      group: [{ source: 'http://snomed.info/sct', target: 'http://hl7.org/fhir/sid/icd-10-cm', element }],
    };
  };
  const boxes = (page: string) =>
    [...page.matchAll(/name="diagnosis" value="[^"]+"[^>]*\/><span><strong>([^<]*)<\/strong>/g)].map(
      ([, label]) => label,
    );
  const useMap = (targets: { code: string; display?: string }[]) => {
    const { launch } = scene.smart;
    scene.smart.launch = { ...launch, site: { ...launch.site, conceptMaps: [mapOf(targets)] } };
  };

  test('that the site’s ConceptMap gives is a candidate with the map’s title', async () => {
    scene = await openScene('story-snomed-only');
    useMap([{ code: 'E66.9', display: 'Obesity, unspecified' }, { code: 'E66.01' }]);
    const { body } = await scene.get(review());
    expect(boxes(body)).toEqual(expect.arrayContaining(['E66.9 Obesity, unspecified', 'E66.01 for Obesity']));
    expect(body).toContain('Wider in the site’s Clinic map.');
  });

  test('that the ConceptMap gives has the title of the loaded file, and a header of it is no candidate', async () => {
    const codes = {
      ...rows,
      named: async () => ({
        file: await rows.current('icd-10-cm'),
        codes: [
          { code: 'E66.9', title: 'Obesity, unspecified', billable: true },
          { code: 'E66', title: 'Overweight and obesity', billable: false },
        ],
      }),
    };
    scene = await openScene('story-snomed-only', (deps) => ({ ...deps, codes }));
    useMap([{ code: 'E66.9' }, { code: 'E66' }]);
    const shown = boxes((await scene.get(review())).body);
    expect(shown).toContain('E66.9 Obesity, unspecified');
    expect(shown.filter((label) => label?.startsWith('E66 '))).toEqual([]);
  });
});

describe('an address', () => {
  test('without its state offers the states of the request’s other addresses, each with whose it is', async () => {
    scene = await openScene('story-complete');
    scene.resources = scene.resources.map((resource) => {
      if (resource.resourceType !== 'Patient') return resource;
      const patient = resource as Patient;
      return { ...patient, address: patient.address?.map(({ state: _, ...rest }) => rest) ?? [] };
    });
    const { body } = await scene.get(review());
    expect(answersFor(body, 'patient.address.state_province')).toEqual(['IL']);
    expect(body).toContain('IL · Illinois (prescriber’s address, pharmacy’s address)');
    await submit({ 'pick.patient.address.state_province': 'IL' });
    expect(theCase().edits['patient.address.state_province']).toBe('IL');
  });
});

describe('a pharmacy', () => {
  const pharmacy: Organization = {
    resourceType: 'Organization',
    id: 'maple',
    name: 'Maple Pharmacy',
    address: [{ line: ['9 Maple St'], city: 'Normal', state: 'IL', postalCode: '61761', country: 'USA' }],
  };
  const openWithoutPharmacy = async () => {
    scene = await openScene('story-complete');
    const first = scene.resources.find(({ resourceType }) => resourceType === 'MedicationRequest') as MedicationRequest;
    const { performer: _, ...dispenseRequest } = first.dispenseRequest ?? {};
    const performer = { reference: 'Organization/maple' };
    scene.resources = [
      ...scene.resources.map((one) => (one === first ? { ...first, dispenseRequest } : one)),
      pharmacy,
      { ...first, id: 'other-order', dispenseRequest: { ...dispenseRequest, performer } } as MedicationRequest,
    ];
  };
  const buttons = (page: string) => [...page.matchAll(/name="likely-pharmacy" value="([^"]+)"/g)];

  test('that another order of the chart names is a button, which enters its whole address', async () => {
    await openWithoutPharmacy();
    const { body } = await scene.get(review());
    expect(buttons(body)).toHaveLength(1);
    expect(body).toContain('<strong>Maple Pharmacy</strong> 9 Maple St, Normal IL 61761');
    await submit({ 'likely-pharmacy': buttons(body)[0]?.[1]?.replaceAll('&quot;', '"') ?? '' });
    expect(theCase().edits).toMatchObject({ 'pharmacy.name': 'Maple Pharmacy', 'pharmacy.address.city': 'Normal' });
    expect(buttons((await scene.get(review())).body)).toEqual([]);
  });

  test('that nobody offered is not entered', async () => {
    await openWithoutPharmacy();
    await submit({ 'likely-pharmacy': JSON.stringify({ 'pharmacy.name': 'Invented' }) });
    expect(theCase().edits).toEqual({});
  });
});
