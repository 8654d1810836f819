import { type DispenseUnit, dispenseUnits } from '../../src/core/contract/lists.ts';
import { systems } from '../../src/core/fhir/codes/systems.ts';
import type { Table } from '../../src/core/mapping/words/rules.ts';
import { codes, texts } from './table-keys.ts';

const { sct, ncit, v3orderableDrugForm: v3form } = systems;

/** The service's units, with the units of a FHIR Quantity that certainly mean them. */
export const dispenseUnitTable: Table<DispenseUnit> = {
  name: 'dispense unit',
  list: dispenseUnits,
  rows: {
    tablet: [
      ...codes(
        v3form,
        'tab ortab ertab ertab12 ertab24 ectab erectab drtab chewtab disintab cptab sltab buctab srbuctab caplet',
      ),
      ...codes(ncit, 'c48542'),
      ...codes(sct, '428673006 732936001'),
      ...texts('tablet|tablets|tab|tabs|tbl|tablet(s)|tab(s)'),
    ],
    capsule: [
      ...codes(v3form, 'cap orcap ercap ercap12 ercap24 entcap erentcap ereccap'),
      ...codes(ncit, 'c48480'),
      ...codes(sct, '428641000 732937005'),
      ...texts('capsule|capsules|cap|caps|capsule(s)|cap(s)'),
    ],
    milliliter: [...codes(ncit, 'c28254'), ...texts('ml|milliliter|milliliters|millilitre|millilitres')],
    liter: texts('l|liter|liters|litre'),
    gram: [...codes(ncit, 'c48155'), ...texts('g|gm|gram|grams')],
    milligram: [...codes(ncit, 'c28253'), ...texts('mg|milligram|milligrams')],
    microgram: [...codes(ncit, 'c48152'), ...texts('ug|mcg|microgram|micrograms')],
    unit: [...codes(ncit, 'c44278'), ...texts("unit|units|[iu]|iu|[usp'u]|international unit|international units")],
    patch: [
      ...codes(v3form, 'patch tpatch tpath16 tpath24 tpath72 tpathwk tpath2wk'),
      ...texts('patch|patches|patch(es)'),
    ],
    inhaler: texts('inhaler|inhalers'),
    applicator: texts('applicator|applicators'),
    pack: texts('pack|packs'),
    vial: texts('vial|vials|vial(s)'),
    film: texts('film|films'),
  },
};
