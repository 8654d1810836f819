import type { Resource } from 'fhir/r4.js';
import { describe, expect, it } from 'vitest';
import { noReadings } from '../../../src/core/fhir/documents/readings.ts';
import { indexChart } from '../../../src/core/fhir/references/graph.ts';
import { compilePath } from '../../../src/core/fhirpath/compile.ts';
import type { Facts } from '../../../src/core/roles/facts.ts';
import { candidateSubject } from '../../../src/core/roles/fill/choose.ts';
import { computed, defineRoles, given } from '../../../src/core/roles/index.ts';
import type { SitePolicy } from '../../../src/core/roles/policy.ts';
import { compileReferences, compileThroughReference } from '../../../src/core/roles/reference-search.ts';
import { RoleRun } from '../../../src/core/roles/role-run.ts';
import { itemsAt } from '../../../src/core/roles/subject.ts';

const people = [
  { resourceType: 'Patient', id: 'p' },
  { resourceType: 'Patient', id: 'other' },
];
const payer = { resourceType: 'Organization', id: 'payer', name: 'Evergreen' };
const coverageOf = (payor: readonly unknown[], contained: readonly unknown[] = []) => ({
  resourceType: 'Coverage',
  id: 'c',
  status: 'active',
  beneficiary: { reference: 'Patient/p' },
  payor,
  contained,
});

/** The facts of a chart, and its coverage as a candidate. */
function opened(coverage: object): { facts: Facts; item: ReturnType<typeof candidateSubject>['item'] } {
  let facts: Facts | undefined;
  const call = (given: Facts) => {
    facts = given;
    return { root: { nodes: [] } };
  };
  const probe = computed({ types: ['Coverage'], reads: [], fill: { name: 'probe', sentence: 'the facts', call } });
  const table = defineRoles(
    'test',
    { patient: given('Patient'), probe },
    { isSensitive: () => false, tellsSensitive: () => false },
  );
  const graph = indexChart([...people, payer, coverage] as Resource[]); // resources of a test are written out here
  const site: SitePolicy = { diagnoses: 'ask' };
  const asked = { patient: 'Patient/p', order: 'MedicationRequest/o', now: new Date(0), site, answers: {} };
  new RoleRun(table, graph, { ...asked, readings: noReadings }, () => []).root('probe');
  const located = graph.find('Coverage/c');
  if (facts === undefined || located === undefined) throw new Error('the chart has no coverage');
  return { facts, item: candidateSubject(located).item };
}

const ofPlan = { resourceType: 'Organization', id: 'in', name: 'Contained' };
const references: readonly (readonly [string, object])[] = [
  ['to an organization', coverageOf([{ reference: 'Organization/payer' }])],
  ['to one that is contained', coverageOf([{ reference: '#in' }], [ofPlan])],
  ['to the patient', coverageOf([{ reference: 'Patient/p' }])],
  ['to another patient', coverageOf([{ reference: 'Patient/other' }])],
  ['to nothing', coverageOf([{ reference: 'Organization/none' }, { display: 'words' }])],
  ['to several', coverageOf([{ reference: 'Patient/p' }, { reference: 'Organization/payer' }])],
  ['from none', coverageOf([])],
];

describe('a search through a reference', () => {
  const path = compilePath('payor.resolve().ofType(Organization).name');

  it.each(references)('finds what the path finds, %s', (_, coverage) => {
    const { facts, item } = opened(coverage);
    const found: unknown[] = [];
    const search = compileThroughReference(path.tree, (value) => {
      found.push(value);
      return false;
    });
    expect(search?.(item, facts)).toBe(false);
    expect(found).toEqual(itemsAt(path, [item], facts).map(({ value }) => value));
  });

  it('reads the name of the organization that is meant', () => {
    const { facts, item } = opened(coverageOf([{ reference: 'Organization/payer' }]));
    expect(compileThroughReference(path.tree, (value) => value === 'Evergreen')?.(item, facts)).toBe(true);
  });

  it.each(['payor.display', 'payor.resolve().name', 'payor.resolve().ofType(Resource).name', '%order.requester'])(
    'is none of %s',
    (expression) => expect(compileThroughReference(compilePath(expression).tree, () => true)).toBeUndefined(),
  );
});

describe('the references of a path', () => {
  it('are told with the resource that holds them', () => {
    const { facts, item } = opened(coverageOf([{ reference: 'Organization/payer' }, { display: 'words' }]));
    const met: unknown[] = [];
    const search = compileReferences(compilePath('payor').tree, (reference, { holder }) => {
      met.push([holder.reference, reference]);
      return false;
    });
    search?.(item, facts);
    expect(met).toEqual([
      ['Coverage/c', { reference: 'Organization/payer' }],
      ['Coverage/c', { display: 'words' }],
    ]);
  });

  it.each(['contained.partOf', 'entry.resource.subject'])('are not those of %s, which another resource holds', (path) =>
    expect(compileReferences(compilePath(path).tree, () => true)).toBeUndefined(),
  );
});
