import { expect, test } from 'vitest';
import { z } from 'zod';
import { contractsOf, type Kind, kinds } from '../../../src/core/contract/kinds.ts';
import type { LeafOf } from '../../../src/core/contract/leaf-of.ts';
import { leavesOf } from '../../../src/core/mapping/schema.ts';
import { kindPages } from '../../../src/web/request/kind-pages.ts';
import { leafLabel } from '../../../src/web/request/labels.ts';
import { requestOf } from '../../../src/web/request/print/shown-request.ts';
import {
  benefitFields,
  enrollmentFields,
  priorAuthFields,
  type RequestFields,
} from '../../../src/web/request/request-fields.ts';
import { testConfig } from '../support.ts';

const tables: Readonly<Record<Kind, object>> = {
  'prior-auth': priorAuthFields,
  enrollment: enrollmentFields,
  'benefit-verification': benefitFields,
};

const Address = z.strictObject({ city: z.string(), county: z.string().optional() });
const Contract = z
  .strictObject({ npi: z.string(), address: Address.optional(), items: z.array(z.strictObject({ code: z.string() })) })
  .refine(() => true);

test('a table without a leaf of its contract does not compile', () => {
  const spec = { label: 'x', section: 'further' } as const;
  const whole: RequestFields<LeafOf<typeof Contract>> = {
    npi: spec,
    'address.city': spec,
    'address.county': spec,
    'items[].code': spec,
  };
  // @ts-expect-error the county lacks
  const lacking: RequestFields<LeafOf<typeof Contract>> = { npi: spec, 'address.city': spec, 'items[].code': spec };
  expect(Object.keys(whole).toSorted()).toEqual(leavesOf(Contract).toSorted());
  expect(Object.keys(lacking)).toHaveLength(3);
});

test.each(kinds)('the table of %s has each leaf of its contracts and no other', (kind) => {
  const leaves = new Set(contractsOf[kind].flatMap((schema) => leavesOf(schema)));
  const named = Object.keys(tables[kind]);
  expect([...leaves].filter((leaf) => !named.includes(leaf))).toEqual([]);
  // What our mappings put into a free-form part is named beside the part.
  const foreign = named.filter((leaf) => !leaves.has(leaf) && !leaf.startsWith('prescription.extra.'));
  expect(foreign).toEqual(kind === 'benefit-verification' ? ['patient.mrn'] : []);
});

test.each(kinds)('each leaf of %s is called by words, not by its path', (kind) => {
  const { sections } = kindPages[kind];
  for (const leaf of Object.keys(tables[kind]))
    expect(leafLabel(leaf.replaceAll('[]', '[0]'), sections)).not.toBe(leaf);
});

test.each(kinds)('what is of no section in %s is shown behind the others, under its path', (kind) => {
  const site = testConfig().sites[0]!;
  const { sections } = requestOf({ kind, site, body: { unheard_of: 'x' }, provenance: [] });
  expect(sections).toMatchObject([{ id: 'further', leaves: [{ label: 'unheard_of', text: 'x' }] }]);
});
