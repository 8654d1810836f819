import { join } from 'node:path';
import { expect, test } from 'vitest';
import { mappings } from '../../../mappings/index.ts';
import type { SiteConceptMap } from '../../../src/core/roles/concept-map.ts';
import { translate } from '../../../src/core/roles/concept-map.ts';
import { chartOfFixture, loadFixture } from '../../../src/dev/kit/fixture.ts';

const sct = 'http://snomed.info/sct';
const icd10 = 'http://hl7.org/fhir/sid/icd-10-cm';
type Target = NonNullable<SiteConceptMap['group'][number]['element'][number]['target']>[number];

function mapOf(code: string, target: Target[], more: Partial<SiteConceptMap> = {}): SiteConceptMap {
  return {
    resourceType: 'ConceptMap',
    title: 'Clinic terms',
    version: '2',
    status: 'active',
    group: [{ source: sct, target: icd10, element: [{ code, target }] }],
    ...more,
  };
}

const psoriasis = { coding: [{ system: sct, code: '9014002', display: 'Psoriasis' }] };

test.each(['equal', 'equivalent'] as const)('one %s target is certain, with its dot', (equivalence) => {
  const { certain, suggested } = translate([mapOf('9014002', [{ code: 'l409', equivalence }])], psoriasis);
  expect(certain).toEqual({ code: 'L40.9', equivalence, map: 'Clinic terms 2', index: 0 });
  expect(suggested).toEqual([]);
});

test.each(['wider', 'narrower', 'relatedto', 'subsumes', 'specializes', 'inexact'] as const)(
  'a %s target is only suggested',
  (equivalence) => {
    expect(translate([mapOf('9014002', [{ code: 'L40.0', equivalence }])], psoriasis)).toEqual({
      suggested: [{ code: 'L40.0', equivalence, map: 'Clinic terms 2', index: 0 }],
    });
  },
);

test.each(['unmatched', 'disjoint'] as const)('a target that is %s says nothing', (equivalence) => {
  expect(translate([mapOf('9014002', [{ code: 'L40.0', equivalence }])], psoriasis)).toEqual({ suggested: [] });
});

test('a target that depends on another fact is only suggested', () => {
  const conditional: Target = {
    code: 'L40.50',
    equivalence: 'equivalent',
    dependsOn: [{ property: 'http://snomed.info/id/246112005', value: 'arthritis' }],
  };
  expect(translate([mapOf('9014002', [conditional])], psoriasis)).toMatchObject({ suggested: [{ code: 'L40.50' }] });
});

test('the same code from two maps is certain, two codes are suggested', () => {
  const first = mapOf('9014002', [{ code: 'L40.9', equivalence: 'equal' }]);
  const second = mapOf('9014002', [{ code: 'L409', equivalence: 'equivalent' }], { title: 'Other terms' });
  const other = mapOf('9014002', [{ code: 'L40.0', equivalence: 'equivalent' }], { title: 'Other terms' });
  expect(translate([first, second], psoriasis).certain?.code).toBe('L40.9');
  expect(translate([first, other], psoriasis)).toMatchObject({
    suggested: [{ code: 'L40.9' }, { code: 'L40.0', map: 'Other terms 2' }],
  });
});

test('another code system with the same code, and a target that is not ICD-10-CM, are not meant', () => {
  const map = mapOf('9014002', [{ code: 'L40.9', equivalence: 'equal' }]);
  expect(translate([map], { coding: [{ system: 'urn:oid:1.2.36.7', code: '9014002' }] })).toEqual({ suggested: [] });
  const abroad = mapOf('9014002', [], {
    group: [
      {
        source: sct,
        target: 'http://hl7.org/fhir/sid/icd-10',
        element: [{ code: '9014002', target: [{ code: 'L40.9', equivalence: 'equal' }] }],
      },
    ],
  });
  expect(translate([abroad], psoriasis)).toEqual({ suggested: [] });
});

test('what a map does not decide is offered to the person who is asked', async () => {
  const fixture = loadFixture(
    join(import.meta.dirname, '..', '..', '..', 'fixtures', 'charts', 'diagnosis-sites-map-with-two-codes-is-asked'),
  );
  const question = (await chartOfFixture(fixture, mappings.roles))?.questions(['diagnosis'])[0];
  expect(question?.options).toEqual([
    {
      value: 'M05.79',
      label: 'M05.79 for Rheumatoid arthritis',
      reason: 'equivalent in the site’s Marlow Falls problem list 3',
    },
    {
      value: 'M06.9',
      label: 'M06.9 for Rheumatoid arthritis',
      reason: 'equivalent in the site’s Marlow Falls problem list 3',
    },
  ]);
});

test('a code from a map is derived, and names the map and the code it translates', async () => {
  const fixture = loadFixture(
    join(import.meta.dirname, '..', '..', '..', 'fixtures', 'charts', 'diagnosis-snomed-by-the-sites-map'),
  );
  const [node] = (await chartOfFixture(fixture, mappings.roles))?.root('diagnosis').nodes ?? [];
  expect(node?.told).toEqual({
    kind: 'derived',
    note: 'SNOMED CT 69896004 is M06.9 (equivalent) in the site’s Marlow Falls problem list 3',
  });
});
