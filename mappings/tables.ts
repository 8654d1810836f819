import type { CodeableConcept, Coding, Quantity } from 'fhir/r4.js';
import { parseRxNormName } from '../src/fhir/rxnorm-name.ts';
import { systems } from '../src/fhir/systems.ts';
import type { Transform, Transformed } from '../src/mapping/rules.ts';

/**
 * Tables from FHIR codes and texts to the service's closed lists. A row is there only when it is certain;
 * what has no row is a gap that a person fills. Keys: `system|code` for codes, lower-case texts for displays and units.
 */
export interface Table<Out extends string> {
  readonly name: string;
  readonly rows: Readonly<Partial<Record<Out, readonly string[]>>>;
}

const { sct, edqm, ncit, v3orderableDrugForm: v3form, v3routeOfAdministration: v3route } = systems;
const codes = (system: string, list: string) => list.split(' ').map((code) => `${system}|${code}`.toLowerCase());
const texts = (list: string) => list.split('|');

/** FHIR administrative-gender to the service's gender; `unknown` is `not_specified`. */
export const genderTable: Table<'male' | 'female' | 'other' | 'not_specified'> = {
  name: 'gender',
  rows: { male: ['male'], female: ['female'], other: ['other'], not_specified: ['unknown'] },
};

/** Dose forms of the service that a FHIR form or an RxNorm dose form certainly is. A pen, syringe or auto-injector holds an injection. */
export const doseFormTable: Table<string> = {
  name: 'dose form',
  rows: {
    tablet: [
      ...codes(sct, '385055001 385057009 421026006'),
      ...codes(edqm, '10219000 10220000 10221000 10225000 10226000 10228000'),
      ...codes(ncit, 'c42998 c42931 c42927 c42905 c42893 c42897'),
      ...codes(v3form, 'tab ortab ertab ertab12 ertab24 ectab erectab drtab chewtab disintab cptab sltab buctab'),
      ...texts(
        'tablet|tab|tabs|tablets|oral tablet|extended release oral tablet|delayed release oral tablet|disintegrating oral tablet|effervescent oral tablet|chewable tablet|chewable extended release oral tablet|sublingual tablet|buccal tablet|tablet for oral suspension|film-coated tablet|film coated tablet|conventional release oral tablet|prolonged-release oral tablet|prolonged-release tablet|tablet,delayed release|tablet, delayed release|tablet, extended release|tablet,extended release|tablet, film coated|tablet, coated',
      ),
    ],
    capsule: [
      ...codes(sct, '385049006 385053008 420692007'),
      ...codes(edqm, '10210000 10211000 10217000'),
      ...codes(ncit, 'c25158 c42916 c42902'),
      ...codes(v3form, 'cap orcap ercap ercap12 ercap24 entcap erentcap ereccap'),
      ...texts(
        'capsule|cap|caps|capsules|oral capsule|extended release oral capsule|delayed release oral capsule|prolonged-release oral capsule|conventional release oral capsule|capsule,delayed release|capsule, delayed release|capsule, extended release|capsule,extended release|capsule, hard|capsule, soft',
      ),
    ],
    injection: [
      ...codes(sct, '385219001 385220007 385221006'),
      ...codes(edqm, '11201000 11202000'),
      ...codes(ncit, 'c42945 c42946'),
      ...texts(
        'injection|injectable solution|injectable suspension|prefilled syringe|auto-injector|pen injector|jet injector|injection solution|solution for injection|suspension for injection|injection suspension|injection emulsion|injection, solution|injection, suspension|solution for injection in pre-filled pen|solution for injection in pre-filled syringe',
      ),
    ],
    solution: [
      ...codes(sct, '385023001'),
      ...codes(edqm, '10105000'),
      ...codes(ncit, 'c42986'),
      ...texts(
        'solution|oral solution|topical solution|ophthalmic solution|otic solution|nasal solution|inhalation solution|mucous membrane topical solution|irrigation solution|intravenous solution|intrathecal solution|intraperitoneal solution',
      ),
    ],
    suspension: [
      ...codes(sct, '385024007'),
      ...codes(edqm, '10106000'),
      ...codes(ncit, 'c42994'),
      ...texts('suspension|oral suspension|extended release suspension|ophthalmic suspension|otic suspension|inhalation suspension|rectal suspension|topical suspension'),
    ],
    cream: [...codes(sct, '385099005'), ...codes(edqm, '10502000'), ...codes(ncit, 'c28944'), ...texts('cream|topical cream|augmented topical cream|rectal cream|vaginal cream')],
    ointment: [
      ...codes(sct, '385101003'),
      ...codes(edqm, '10504000'),
      ...codes(ncit, 'c42966'),
      ...codes(v3form, 'oint'),
      ...texts('ointment|topical ointment|augmented topical ointment|ophthalmic ointment|rectal ointment|nasal ointment|oral ointment'),
    ],
    gel: [
      ...codes(sct, '385100002'),
      ...codes(edqm, '10503000'),
      ...codes(ncit, 'c42934'),
      ...codes(v3form, 'gel'),
      ...texts('gel|topical gel|oral gel|rectal gel|vaginal gel|nasal gel|ophthalmic gel|urethral gel'),
    ],
    lotion: texts('lotion|topical lotion|augmented topical lotion'),
    foam: texts('foam|topical foam|rectal foam|vaginal foam|oral foam'),
    oil: texts('topical oil|oil'),
    shampoo: texts('shampoo|medicated shampoo'),
    soap: texts('medicated liquid soap|medicated bar soap'),
    patch: [
      ...codes(sct, '385114002'),
      ...codes(edqm, '10519000'),
      ...codes(ncit, 'c42968'),
      ...codes(v3form, 'patch tpatch'),
      ...texts('patch|transdermal patch|transdermal system|medicated patch'),
    ],
    film: texts('film|oral film|sublingual film|buccal film'),
    spray: [
      ...codes(sct, '385157007'),
      ...codes(ncit, 'c42989'),
      ...texts('spray|nasal spray|metered dose nasal spray|topical spray|oral spray|mucosal spray|sublingual spray|powder spray|inhalation spray'),
    ],
    inhaler: texts('inhaler|metered dose inhaler|dry powder inhaler|nasal inhaler'),
    powder: texts('powder|oral powder|topical powder|inhalation powder|nasal powder|powder for oral solution|powder for oral suspension'),
    lozenge: texts('lozenge|oral lozenge'),
    gum: texts('chewing gum|gum'),
    suppository: [...codes(sct, '385194003'), ...codes(ncit, 'c42993'), ...codes(v3form, 'supp recsupp'), ...texts('suppository|rectal suppository')],
    vaginal_suppository: texts('vaginal suppository'),
    vaginal_tablet: texts('vaginal tablet'),
    insert: texts('vaginal insert|insert'),
    ring: texts('vaginal ring'),
    enema: texts('enema'),
    implant: texts('drug implant|implant'),
    mouthwash: texts('mouthwash'),
    syrup: texts('syrup|oral syrup'),
    elixir: texts('elixir|oral elixir'),
    paste: texts('paste|oral paste'),
    pellet: texts('oral pellet'),
    kit: [...codes(ncit, 'c47916'), ...texts('kit')],
  },
};

export const routeTable: Table<string> = {
  name: 'route',
  rows: {
    oral: [...codes(sct, '26643006 260548002'), ...codes(ncit, 'c38288'), ...codes(v3route, 'po'), ...texts('oral|po|by mouth|orally|per os|oral use')],
    intravenous: [...codes(sct, '47625008 255560000'), ...codes(ncit, 'c38276'), ...codes(v3route, 'iv ivinj'), ...texts('intravenous|iv|intravenous use')],
    subcutaneous: [
      ...codes(sct, '34206005 263887005'),
      ...codes(ncit, 'c38299'),
      ...codes(v3route, 'sq'),
      ...texts('subcutaneous|sc|sq|subq|subcut|subcutaneously|subcutaneous use'),
    ],
    intramuscular: [...codes(sct, '78421000 255559005'), ...codes(ncit, 'c28161'), ...codes(v3route, 'im'), ...texts('intramuscular|im|intramuscular use')],
    topical: [...codes(sct, '6064005 359540000'), ...codes(ncit, 'c38304'), ...codes(v3route, 'topical'), ...texts('topical|topically')],
    ophthalmic: [...codes(sct, '54485002'), ...codes(ncit, 'c38287'), ...texts('ophthalmic')],
    otic: [...codes(sct, '10547007'), ...texts('otic')],
    nasal: [...codes(sct, '46713006'), ...codes(ncit, 'c38284'), ...texts('nasal|intranasal')],
    rectal: [...codes(sct, '37161004'), ...codes(ncit, 'c38295'), ...codes(v3route, 'pr'), ...texts('rectal|rectally')],
    vaginal: [...codes(sct, '16857009'), ...codes(ncit, 'c38313'), ...codes(v3route, 'vaginsi'), ...texts('vaginal|vaginally')],
    sublingual: [...codes(sct, '37839007'), ...codes(ncit, 'c38300'), ...codes(v3route, 'sl'), ...texts('sublingual|sl')],
    buccal: [...codes(sct, '54471007'), ...codes(ncit, 'c38193'), ...codes(v3route, 'buc'), ...texts('buccal')],
    transdermal: [...codes(sct, '45890007'), ...codes(ncit, 'c38305'), ...codes(v3route, 'trnsderm'), ...texts('transdermal')],
    inhalation: [...codes(sct, '18679011000001101 447694001'), ...codes(v3route, 'ipinhl'), ...texts('inhalation|inhaled|respiratory tract')],
    'respiratory (inhalation)': [...codes(ncit, 'c38216'), ...texts('respiratory (inhalation)')],
    'auricular (otic)': [...codes(ncit, 'c38192'), ...texts('auricular (otic)')],
    intradermal: [...codes(sct, '372464004'), ...texts('intradermal')],
    intrathecal: [...codes(sct, '72607000'), ...texts('intrathecal')],
    intravitreal: [...codes(sct, '418401004'), ...texts('intravitreal')],
    'intra-articular': [...codes(sct, '12130007'), ...texts('intra-articular|intraarticular')],
    epidural: [...codes(sct, '404820008'), ...texts('epidural')],
    nasogastric: [...codes(sct, '127492001'), ...texts('nasogastric')],
  },
};

/** Routes that an RxNorm dose form names itself: "Oral Tablet", not "Chewable Tablet". */
const routeInForm: Readonly<Record<string, string>> = {
  oral: 'oral',
  sublingual: 'sublingual',
  buccal: 'buccal',
  ophthalmic: 'ophthalmic',
  otic: 'otic',
  nasal: 'nasal',
  rectal: 'rectal',
  vaginal: 'vaginal',
  transdermal: 'transdermal',
  topical: 'topical',
  inhalation: 'inhalation',
  inhaler: 'inhalation',
  intravenous: 'intravenous',
  intrathecal: 'intrathecal',
};

export const dispenseUnitTable: Table<string> = {
  name: 'dispense unit',
  rows: {
    tablet: [
      ...codes(v3form, 'tab ortab ertab ertab12 ertab24 ectab erectab drtab chewtab disintab cptab sltab buctab'),
      ...codes(ncit, 'c48542'),
      ...codes(sct, '428673006 732936001'),
      ...texts('tablet|tablets|tab|tabs|tbl|tablet(s)'),
    ],
    capsule: [
      ...codes(v3form, 'cap orcap ercap ercap12 ercap24 entcap erentcap ereccap'),
      ...codes(ncit, 'c48480'),
      ...codes(sct, '428641000 732937005'),
      ...texts('capsule|capsules|cap|caps|capsule(s)'),
    ],
    milliliter: [...codes(ncit, 'c28254'), ...texts('ml|milliliter|milliliters|millilitre|millilitres')],
    liter: texts('l|liter|liters|litre'),
    gram: [...codes(ncit, 'c48155'), ...texts('g|gm|gram|grams')],
    milligram: texts('mg|milligram|milligrams'),
    microgram: texts('ug|mcg|microgram|micrograms'),
    unit: texts("unit|units|[iu]|iu|[usp'u]|international unit|international units"),
    patch: [...codes(v3form, 'patch tpatch'), ...texts('patch|patches|patch(es)')],
    inhaler: texts('inhaler|inhalers'),
    applicator: texts('applicator|applicators'),
    pack: texts('pack|packs'),
    vial: texts('vial|vials|vial(s)'),
    film: texts('film|films'),
  },
};

export const gender: Transform<'male' | 'female' | 'other' | 'not_specified'> = byCode(genderTable);
/** The service's dose form of a CodeableConcept. */
export const doseForm: Transform<string> = byConcept(doseFormTable);
/** The service's route of a CodeableConcept. */
export const route: Transform<string> = byConcept(routeTable);
/** The service's unit of a Quantity. */
export const dispenseUnit: Transform<string> = {
  name: 'dispense unit',
  apply: (value) => {
    const { code, system, unit } = isObject(value) ? (value as Quantity) : {};
    return agree(dispenseUnitTable, [
      rowOf(dispenseUnitTable, { ...(code === undefined ? {} : { code }), ...(system === undefined ? {} : { system }) }),
      bracketless(dispenseUnitTable, code),
      bracketless(dispenseUnitTable, unit),
    ]);
  },
};

/** The dose form that the RxNorm name ends with. */
export const rxnormDoseForm: Transform<string> = {
  name: 'dose form of the RxNorm name',
  apply: (value) => {
    const form = formOf(value);
    return form === undefined ? { refused: 'not an RxNorm name with a dose form' } : agree(doseFormTable, [byText(doseFormTable, form)]);
  },
};

/** The route, only when the RxNorm dose form says it. */
export const rxnormRoute: Transform<string> = {
  name: 'route in the RxNorm dose form',
  apply: (value) => {
    const form = formOf(value);
    if (form === undefined) return { refused: 'not an RxNorm name with a dose form' };
    // An oral gel or ointment is put on the gums; only what is swallowed is certain.
    const said =
      /^Oral (Gel|Ointment|Paste|Spray|Foam|Cream)$/i.test(form) || / for /i.test(form)
        ? []
        : form
            .toLowerCase()
            .split(' ')
            .flatMap((word) => routeInForm[word] ?? []);
    const [only] = new Set(said);
    return only === undefined || new Set(said).size > 1 ? { refused: `the dose form ${form} names no route` } : { value: only, derived: true, note: `the dose form is ${form}` };
  },
};

/** For codes of FHIR's own closed value sets. */
function byCode<Out extends string>(table: Table<Out>): Transform<Out> {
  return { name: table.name, apply: (value) => (typeof value === 'string' ? agree(table, [byText(table, value)]) : { refused: 'not a code' }) };
}

/** Every coding that has a row must say the same; the text counts only when no coding has one. */
function byConcept<Out extends string>(table: Table<Out>): Transform<Out> {
  return {
    name: table.name,
    apply: (value) => {
      const concept = isObject(value) ? (value as CodeableConcept) : {};
      const coded = (concept.coding ?? []).map((coding) => rowOf(table, coding));
      return agree(table, coded.some((row) => row !== undefined) ? coded : [byText(table, concept.text)]);
    },
  };
}

function agree<Out extends string>(table: Table<Out>, rows: readonly (Out | undefined)[]): Transformed<Out> {
  const found = [...new Set(rows.filter((row) => row !== undefined))];
  const [only] = found;
  if (only === undefined) return { refused: `no certain row in the table ${table.name}` };
  return found.length === 1 ? { value: only } : { refused: `codes and text name different rows of the table ${table.name}` };
}

function rowOf<Out extends string>(table: Table<Out>, coding: Coding): Out | undefined {
  const key = coding.code === undefined ? undefined : `${coding.system ?? ''}|${coding.code}`.toLowerCase();
  return (key === undefined ? undefined : rowsOf(table).get(key)) ?? byText(table, coding.display);
}

function byText<Out extends string>(table: Table<Out>, text: string | undefined): Out | undefined {
  const plain = text
    ?.trim()
    .toLowerCase()
    .replace(/ ?\((qualifier value|dose form|route|basic dose form|qualifier vallue)\)\s*$/, '')
    .replace(/ (route|dose form)$/, '');
  return plain === undefined ? undefined : rowsOf(table).get(plain);
}

// UCUM annotations ({tablet}, {Capsule}) are words in braces.
function bracketless<Out extends string>(table: Table<Out>, unit: string | undefined): Out | undefined {
  return unit === undefined ? undefined : byText(table, unit.replace(/^\{(.*)\}$/, '$1'));
}

const rowMaps = new WeakMap<object, Map<string, unknown>>();

function rowsOf<Out extends string>(table: Table<Out>): Map<string, Out> {
  const known = rowMaps.get(table) as Map<string, Out> | undefined;
  if (known !== undefined) return known;
  const rows = new Map((Object.entries(table.rows) as [Out, readonly string[]][]).flatMap(([out, keys]) => keys.map((key) => [key, out] as const)));
  rowMaps.set(table, rows);
  return rows;
}

function formOf(value: unknown): string | undefined {
  return typeof value === 'string' ? parseRxNormName(value)?.doseForm : undefined;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
