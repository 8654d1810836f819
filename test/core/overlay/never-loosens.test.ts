import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import complete from '../../../fixtures/charts/story-complete/bundle.json' with { type: 'json' };
import { mappings } from '../../../mappings/index.ts';
import { readSiteOverlay } from '../../../src/config/load-overlays.ts';
import { baseNames } from '../../../src/core/contract/kinds.ts';
import { readBundle } from '../../../src/core/fhir/bundle.ts';
import { runMapping } from '../../../src/core/mapping/run/run.ts';
import type { SiteRules } from '../../../src/core/overlay/lay-overlay.ts';
import { selectChart } from '../../../src/core/roles/select.ts';

const folder = mkdtempSync(join(tmpdir(), 'overlays-'));
afterAll(() => rmSync(folder, { recursive: true }));

function read(content: object): SiteRules | { readonly problems: readonly string[] } {
  const path = join(folder, 'site.json');
  writeFileSync(path, JSON.stringify({ name: 'site', ...content }));
  return readSiteOverlay(path, mappings, baseNames);
}

function refused(content: object): readonly string[] {
  const answer = read(content);
  return 'problems' in answer ? answer.problems.map((problem) => problem.replace(/^.*?:\d+:\d+: /, '')) : [];
}

const rule = (part: string, field: string, written: object) => ({ 'prior-auth': { [part]: { [field]: written } } });
const held = (field: string, roles: string) =>
  `prior-auth.prescription.${field}: it is read from ${roles} and from nothing else, so that it fits what ` +
  'belongs to it';

describe('what belongs together and what must agree', () => {
  test.each([
    [
      'a strength from a text that is not compared',
      rule('prescription', 'strength', { from: ['%order.note.text', '%drug'], transform: 'strength' }),
      held('strength', '%drug'),
    ],
    [
      'a constant strength',
      rule('prescription', 'strength', { constant: '5 mg', reason: 'usual' }),
      expect.stringContaining('a person is asked'),
    ],
    [
      'a strength that is left out',
      rule('prescription', 'strength', { omit: 'the name says it' }),
      held('strength', '%drug'),
    ],
    [
      'a quantity of a second element',
      rule('prescription', 'quantity', {
        from: ['%order.dispenseRequest.initialFill.quantity.value', '%supply.quantity.value'],
      }),
      held('quantity', '%supply'),
    ],
    [
      'days that are not of the supply',
      rule('prescription', 'days_supply', {
        from: ['%order.dispenseRequest.expectedSupplyDuration', '%supply.duration', '%daysSupply'],
      }),
      expect.stringContaining('%supply and %daysSupply and from nothing else'),
    ],
    [
      'directions from another text',
      rule('prescription', 'directions', { from: ['%order.note.text', '%directions.text'] }),
      held('directions', '%directions'),
    ],
    [
      'a quantity that may be a bound',
      rule('prescription', 'quantity', { from: ['%supply.quantity.value'] }),
      'prior-auth.prescription.quantity.from[0]: it is read as the mapping reads it: ' +
        '%supply.quantity.where(comparator.empty()).value',
    ],
    [
      'a code of the drug for every order',
      { 'prior-auth': { prescription: { extra: { rxnorm: { constant: '1357547', reason: 'usual' } } } } },
      expect.stringContaining('a constant would contradict it'),
    ],
    [
      'a street of one address beside the city of another',
      { 'prior-auth': { patient: { address: { street: { from: ['%address.line[0]', '%patient.address.line'] } } } } },
      'prior-auth.patient.address.street: it is read from %address and from nothing else, so that it fits what ' +
        'belongs to it',
    ],
    [
      'a given name of one name beside the family name of another',
      rule('patient', 'first_name', { from: ['%patient.name.given.first()'] }),
      'prior-auth.patient.first_name: it is read from %name and from nothing else, so that it fits what belongs to it',
    ],
  ])('%s is refused', (_, content, told) => {
    expect(refused(content)).toContainEqual(told);
  });

  test.each(['drug', 'supplyUnit', 'route'])('%s takes further sources to compare and nothing else', (role) => {
    expect(refused({ roles: { [role]: { unless: [{ when: 'true', text: 'x' }] } } })[0]).toContain(
      'a site may add sources',
    );
  });

  test('a source that a site adds is asked about where it says something else', () => {
    const sources = [{ label: 'note', path: '%order.note.text', read: 'readDrug' }];
    expect(gapsUnder({ roles: { drug: { sources } } }, withNote('adalimumab 80 MG in 0.8 ML Auto-Injector'))).toContain(
      'prescription.strength blocks',
    );
    expect(gapsUnder({}, withNote('adalimumab 80 MG in 0.8 ML Auto-Injector'))).not.toContain(
      'prescription.strength blocks',
    );
  });
});

describe('what blocks sending', () => {
  test('a constant where a person is asked when the chart has nothing', () => {
    expect(refused(rule('patient', 'date_of_birth', { constant: '2000-01-01', reason: 'x' }))[0]).toContain(
      'a person is asked',
    );
  });

  test.each([
    ['an e-mail', 'patient', 'email', 'frontdesk@example.org', 'contact'],
    ['a phone', 'patient', 'phone', '503-555-0199', 'contact'],
    ['days', 'prescription', 'days_supply', 30, 'supply'],
    ['the day of the order', 'prescription', 'prescription_date', '2026-11-12T00:00:00.000000', 'order'],
  ])('%s that every patient or order would get', (_, part, field, constant, role) => {
    expect(refused(rule(part, field, { constant, reason: 'x' }))).toContainEqual(
      `prior-auth.${part}.${field}.constant: it is read from %${role}; a constant would be sent for every patient ` +
        'and every order',
    );
  });

  test('what is the practice’s or the payer’s own may be written', () => {
    expect(refused(rule('provider', 'fax', { constant: '503-555-0199', reason: 'one fax' }))).toEqual([]);
    expect(refused(rule('insurance_content', 'client_name', { constant: 'Marlow Mill', reason: 'x' }))).toEqual([]);
  });

  test('a birth date from another date of the chart', () => {
    const from = ['%patient.birthDate', '%order.authoredOn'];
    expect(refused(rule('patient', 'date_of_birth', { from }))).toEqual([
      'prior-auth.patient.date_of_birth.from[1]: it is read as the mapping reads it: %patient.birthDate',
    ]);
  });

  test('a value that stands in the path', () => {
    const from = (path: string) => rule('patient', 'first_name', { from: ['%name.given.first()', path] });
    const told =
      'prior-auth.patient.first_name.from[1]: this finds a value that is not in the chart; write it as a constant';
    expect(refused(from("'Unknown'"))).toEqual([told]);
    expect(refused(from("iif(%name.exists(), 'Unknown', 'None')"))).toEqual([told]);
    expect(refused(from("%name.given | 'Unknown'"))).toEqual([told]);
  });

  test('a required field that is left out stays a gap', () => {
    const gaps = gapsUnder(rule('patient', 'internal_id', { omit: 'not wanted' }), complete);
    expect(gaps).toContain('patient.internal_id blocks');
  });

  test('what the mapping sends only when a person says so', () => {
    expect(refused({ 'prior-auth': { priority: { constant: 0, reason: 'always urgent' } } })[0]).toContain(
      'sent only when a person chooses it',
    );
  });

  test('a question that no field would take', () => {
    const message = 'its question would not be asked';
    expect(refused(rule('insurance_content', 'rx_bin', { from: ["%coverage.extension('x').value"] }))[0]).toContain(
      message,
    );
    expect(refused(rule('provider', 'npi', { from: ["%prescriber.extension('x').value"] }))[0]).toContain(message);
  });

  test('a transform of another field would let through what this one refuses', () => {
    expect(refused(rule('provider', 'npi', { from: ['%prescriberNpi.value'], transform: 'text' }))[0]).toContain(
      'no transform of this field',
    );
  });
});

describe('what cannot be true of a living patient with a letter box [K5]', () => {
  const chart = structuredClone(complete);
  const patient = chart.entry.map(({ resource }) => resource).find(({ resourceType }) => resourceType === 'Patient');
  Object.assign(patient ?? {}, { deceasedBoolean: true, address: [{ line: ['HOMELESS'], city: 'Marlow Falls' }] });
  const asked = ['patient.address.street blocks', 'patient.date_of_birth blocks'];

  test.each([
    ['without an overlay', {}],
    ['with a gender of its own', rule('patient', 'gender', { from: ['%patient.gender'] })],
    ['with addresses of other places', { roles: { address: { pathsFirst: ["%patient.address.where(use = 'old')"] } } }],
  ])('is asked %s', (_, content) => {
    expect(gapsUnder(content, chart)).toEqual(expect.arrayContaining(asked));
  });

  test.each([
    ['questions of the patient', { roles: { patient: { asks: [] } } }],
    ['questions of the address', { roles: { address: { asks: [] } } }],
    ['another patient', { roles: { patient: { paths: ['%order.subject'] } } }],
    [
      'a street of its own',
      { 'prior-auth': { patient: { address: { street: { from: ['%patient.address.line'] } } } } },
    ],
    ['a street for every patient', rule('patient', 'address', { street: { constant: '1 Main St', reason: 'x' } })],
    ['a birth date that is left out', rule('patient', 'date_of_birth', { omit: 'not wanted' })],
    ['a birth date for every patient', rule('patient', 'date_of_birth', { constant: '1980-01-01', reason: 'x' })],
    [
      'a birth date of another transform',
      rule('patient', 'date_of_birth', { from: ['%patient.birthDate'], transform: 'text' }),
    ],
  ])('%s is refused', (_, content) => {
    expect(refused(content)).not.toEqual([]);
  });
});

describe('the patient, refuted and sensitive', () => {
  test.each([
    [
      'diagnoses of another list',
      { 'prior-auth': { diagnoses: { from: ['%order.reasonCode.coding.code'] } } },
      'chosen by its role',
    ],
    [
      'a code that is not of the item',
      { 'prior-auth': { diagnoses: { items: { code: { from: ['%order.reasonCode.coding.code'] } } } } },
      '%diagnosis and from nothing else',
    ],
    [
      'evidence that nobody ticked',
      { 'prior-auth': { evidence: { from: ['%order.note.text'] } } },
      'chosen by its role',
    ],
    [
      'a code of another system',
      {
        'prior-auth': {
          diagnoses: { items: { code: { from: ["coding.where(system = 'http://hl7.org/fhir/sid/icd-10').code"] } } },
        },
      },
      'prior-auth.diagnoses.items.code.from[0]: it is read as the mapping reads it',
    ],
    [
      'a person who is contained in the order',
      rule('patient', 'email', { from: ['%order.contained.ofType(Patient).telecom.value'] }),
      'may be about somebody else',
    ],
    [
      'an order that is contained in the order',
      { roles: { supply: { paths: ['%order.contained.ofType(MedicationRequest).dispenseRequest'] } } },
      'may be about somebody else',
    ],
    [
      'the name of a contact',
      { roles: { name: { pathsFirst: ['%patient.contact.name'] } } },
      'a contact is another person',
    ],
    [
      'a Condition past its role',
      rule('prescription', 'extra', {
        why: { from: ['%order.reasonReference.resolve().code.text'], transform: 'text' },
      }),
      'follows references to Practitioner',
    ],
    [
      'a resource of anyone in a role',
      { roles: { contact: { paths: ['%patient.link.other.resolve().ofType(Patient).telecom'] } } },
      'follows references to Practitioner',
    ],
    [
      'an encounter, which may be sensitive',
      rule('prescription', 'extra', { why: { from: ['%encounter.reasonCode.text'], transform: 'text' } }),
      'the request does not read %encounter',
    ],
    [
      'anything for the reason of the order',
      { roles: { diagnosis: { unless: [{ when: 'true', text: 'x' }] } } },
      'nothing can be added to it',
    ],
    ['anything for the evidence', { roles: { evidence: { paths: ['%order'] } } }, 'nothing can be added to it'],
  ])('%s is refused', (_, content, told) => {
    expect(refused(content).join('\n')).toContain(told);
  });

  test('the phone of a contact may be added behind those of the patient', () => {
    expect(refused({ roles: { contact: { paths: ['%patient.contact.telecom'] } } })).toEqual([]);
  });

  test('a coverage of another patient, a refuted one and one that is over are never preferred', () => {
    const prefer = [{ when: "type.coding.exists(code = 'U')", text: 'the union’s fund' }];
    const rules = read({ roles: { coverage: { prefer } } });
    if ('problems' in rules) throw new Error(rules.problems.join('\n'));
    const own = (complete as Chart).entry
      .map(({ resource }) => resource)
      .find((one) => Reflect.get(one, 'id') === 'complete-coverage');
    const more = [
      { id: 'other', beneficiary: { reference: 'Patient/somebody-else' } },
      { id: 'wrong', status: 'entered-in-error' },
      { id: 'over', period: { end: '2020-01-01' } },
    ].map((change) => ({ resource: { ...own, type: { coding: [{ code: 'U' }] }, ...change } }));
    const chart = { ...(complete as Chart), entry: [...(complete as Chart).entry, ...more] };
    expect(chartUnder(rules, chart).choice('coverage')?.chosen).toBe('Coverage/complete-coverage');
  });
});

describe('Medicaid, which pays after other plans (V16)', () => {
  const medicaid = { type: { text: 'Medicaid' }, payor: [{ display: 'State Medicaid' }], class: [], order: undefined };
  const commercial = { type: { text: 'Commercial' }, class: [], order: undefined };
  const withDrugBenefit = { class: [{ type: { coding: [{ code: 'rxbin' }] }, value: '610084' }] };

  test.each([
    ['Medicaid first, the site prefers the other', withDrugBenefit, { prefer: plan('Commercial') }],
    ['both alike, the site prefers the other', {}, { prefer: plan('Commercial') }],
    ['both alike, the site prefers Medicaid', {}, { prefer: plan('Medicaid') }],
    ['the site rules the other out', withDrugBenefit, { unless: plan('Commercial') }],
  ])('%s: it is asked', (_, change, coverage) => {
    const rules = read({ roles: { coverage } });
    if ('problems' in rules) throw new Error(rules.problems.join('\n'));
    const chart = withCoverages([commercial, { ...medicaid, ...change }]);
    const question = chartUnder(rules, chart).choice('coverage');
    expect(question).toMatchObject({ role: 'coverage', reason: 'several could be meant; a person chooses' });
    expect(question?.chosen).toBeUndefined();
  });

  test('two other plans that are alike are settled by what the site prefers', () => {
    const rules = read({ roles: { coverage: { prefer: plan('Union') } } });
    if ('problems' in rules) throw new Error(rules.problems.join('\n'));
    const chart = withCoverages([commercial, { ...commercial, type: { text: 'Union' }, subscriberId: 'U-2' }]);
    expect(chartUnder(rules, chart).choice('coverage')?.chosen).toBe('Coverage/plan-1');
  });

  function plan(text: string): object[] {
    return [{ when: `type.text = '${text}'`, text: `a plan of ${text}` }];
  }

  function withCoverages(changes: readonly object[]): Chart {
    const { entry } = complete as Chart;
    const own = entry.map(({ resource }) => resource).find((one) => Reflect.get(one, 'id') === 'complete-coverage');
    const others = entry.filter(({ resource }) => resource !== own);
    const plans = changes.map((change, at) => ({ resource: { ...own, ...change, id: `plan-${at}` } }));
    return { ...(complete as Chart), entry: [...others, ...plans] };
  }
});

describe('an order that must not be sent', () => {
  const rules = { roles: { order: { unless: [{ when: "note.text = 'held'", text: 'it is held' }] } } };
  test.each([
    ['stopped', { status: 'stopped' }],
    ['not to be given', { doNotPerform: true }],
  ])('%s stays refused under an overlay', (_, change) => {
    expect(gapsUnder(rules, withOrder(change))).toContain('prescription blocks');
  });

  test('an overlay may rule out more', () => {
    expect(gapsUnder(rules, withOrder({ note: [{ text: 'held' }] }))).toContain('prescription blocks');
    expect(gapsUnder({}, withOrder({ note: [{ text: 'held' }] }))).not.toContain('prescription blocks');
  });
});

type Chart = { readonly entry: readonly { readonly resource: object }[] };

function withOrder(change: object): Chart {
  const entry = (complete as Chart).entry.map((one) =>
    Reflect.get(one.resource, 'id') === 'complete-order' ? { ...one, resource: { ...one.resource, ...change } } : one,
  );
  return { ...(complete as Chart), entry };
}

function withNote(text: string): Chart {
  return withOrder({ note: [{ text }] });
}

/** Gaps of the complete story's request under an overlay, as target and severity. */
function gapsUnder(content: object, chart: unknown): string[] {
  const rules = read(content);
  if ('problems' in rules) throw new Error(rules.problems.join('\n'));
  return runMapping(rules['prior-auth'], chartUnder(rules, chart)).gaps.map(
    ({ target, severity }) => `${target} ${severity}`,
  );
}

function chartUnder({ roles }: SiteRules, chart: unknown): ReturnType<typeof selectChart> {
  const { entries } = readBundle(chart);
  const now = new Date('2026-11-21T15:00:00Z');
  const site = { country: 'USA', timeZone: 'UTC' };
  return selectChart(entries, { roles, order: 'MedicationRequest/complete-order', now, site });
}
