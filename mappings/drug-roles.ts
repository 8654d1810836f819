import type { CodeableConcept, Dosage, Medication, Quantity } from 'fhir/r4.js';
import { compareDrugs } from '../src/core/drug/compare-drugs.ts';
import { unitContradictsForm, unitKindsOf } from '../src/core/drug/dispense-unit.ts';
import { unitsContradict } from '../src/core/drug/dosage/odd-dose.ts';
import { readDose } from '../src/core/drug/dosage/read-dose.ts';
import { drugKnowledge } from '../src/core/drug/drug-knowledge.ts';
import { inOrderOfText } from '../src/core/drug/in-order-of-text.ts';
import { readMedication } from '../src/core/drug/read-medication.ts';
import { type DrugReading, withKinds } from '../src/core/drug/reading.ts';
import { readDrugs } from '../src/core/drug/several-drugs.ts';
import { namesNoProduct, systemKind, systems } from '../src/core/fhir/codes/systems.ts';
import { isObject } from '../src/core/fhir/is-object.ts';
import type { Refusal } from '../src/core/fhir/references/refusals.ts';
import { damagedText } from '../src/core/fhir/text/damage.ts';
import { cleanText } from '../src/core/fhir/text/text.ts';
import type { OverTables } from '../src/core/mapping/words/table.ts';
import {
  type Agree,
  type AgreeSource,
  agree,
  type Disagreement,
  type Reading,
  readBy,
  sameValue,
} from '../src/core/roles/agree.ts';
import { memoized } from '../src/core/text-cache.ts';
import { drugNames } from './knowledge/brands.ts';
import { ingredientNames, ownEsters } from './knowledge/ingredients.ts';
import { formKinds } from './tables/form-kinds.ts';
import { routeKinds, routesAlike } from './tables/route-kind.ts';
import { dispenseUnit, doseForm, route as routeOf, routeOfDirections, routeWords } from './tables.ts';

export const knowledge = drugKnowledge(drugNames, ingredientNames, ownEsters);

/** Transforms that read the sources of the drug. A site's overlay may add rows to their tables. */
interface Tables {
  readonly doseForm: typeof doseForm;
  readonly route: typeof routeOf;
  readonly routeWords: typeof routeWords;
  readonly dispenseUnit: typeof dispenseUnit;
}

/** The roles whose sources must agree in meaning: drug, route and dispense unit. */
export function drugRoles(over: OverTables): {
  readonly drug: Agree;
  readonly route: Agree;
  readonly supplyUnit: Agree;
} {
  const tables: Tables = {
    doseForm: over(doseForm),
    route: over(routeOf),
    routeWords: over(routeWords),
    dispenseUnit: over(dispenseUnit),
  };
  return { drug: drugBy(tables), route: routeBy(tables), supplyUnit: supplyUnitBy(tables) };
}

// Many charts name the same drugs, so each name is parsed only once.
const drugsNamed = memoized((text) => readDrugs(cleanText(text), knowledge).map(asReading));

const readDrug = ({ doseForm }: Tables): AgreeSource['read'] => ({
  name: 'readDrug',
  sentence:
    'name, strength, form and kind of release by the grammar of RxNorm names and of order texts: upadacitinib | ' +
    '15 MG | Extended Release | Oral Tablet; a text that offers two drugs or strengths says both; of a Medication ' +
    'form and strength of every active ingredient, as it states them, cited at the Medication',
  call: (stated) => {
    if (typeof stated === 'string') return drugsNamed(stated);
    // `%medication` is the only source that is an object.
    const medication = isObject(stated) ? (stated as unknown as Medication) : undefined;
    const drug = medication === undefined ? undefined : readMedication(medication, formWords(doseForm));
    if (medication === undefined || drug === undefined) return [];
    return [inItsCode(medication, drug)];
  },
});

// If the code says "Rinvoq" and the form says "24 hours", both belong to the name of the product.
function inItsCode({ code }: Medication, drug: DrugReading): Reading {
  const { release, piece, route } = drug;
  const ofGroups = code?.coding?.filter(({ system }) => noProducts.some((url) => url === system)) ?? [];
  const isOfGroup = (words: string | undefined): boolean => ofGroups.some(({ display }) => display === words);
  const said = [code?.text, ...(code?.coding ?? []).map(({ display }) => display)];
  const text = said.find((words) => words !== undefined && !isOfGroup(words));
  const [own, ...others] = text === undefined || !(isOther(release) || isOther(piece)) ? [] : drugsNamed(text);
  const name = own?.name;
  if (typeof name !== 'string' || others.length > 0) return asReading(drug);
  return { ...asReading(drug), named: withKinds(name, { release, piece, route }), ofCode: own?.drug };
}

// The words for the form's codes if they state a release or a kind of tablet, or else the service's word for the form.
function formWords(doseForm: Tables['doseForm']): (form: CodeableConcept) => string | undefined {
  return (form) => {
    const found = doseForm.apply(form);
    if (!('value' in found)) return undefined;
    const kinds = (form.coding ?? []).flatMap(
      ({ system, code }) => formKinds.get(`${system}|${code}`.toLowerCase()) ?? [],
    );
    return kinds.length === 0 ? found.value : [...new Set(kinds)].join(' ');
  };
}

// FHIR allows either a concept or a reference. If an order has both, both are read.
const referenced =
  '%order.where(medication.ofType(CodeableConcept).exists())' +
  '.medication.ofType(Reference).resolve().ofType(Medication).code';

/**
 * The drug, read from each source separately. If the sources agree, the first one in this list is sent. `source` is the
 * grammar of the text (`rxnorm`, `text`, `structure`), not the code system.
 *
 * `differ` and `alone` block sending and leave the leaf of that aspect empty; `unknown` only warns. If several pairs of
 * sources differ, the question is about the first pair and offers the readings of all sources.
 */
const drugBy = (tables: Tables): Agree => {
  const read = readDrug(tables);
  return agree({
    sources: [
      { label: 'ingredient list', path: '%medication', read },
      { label: 'RxNorm name', path: '%drugConcept.coding.where(system = %rxnorm).display', read },
      { label: 'NDC name', path: '%drugConcept.coding.where(system = %ndc).display', read },
      { label: 'text', path: textOf('%drugConcept'), read },
      {
        label: 'referenced drug',
        path: `${referenced}.text | ${referenced}.coding.where(system.empty() or (${isProduct})).display`,
        read,
      },
      { label: 'order’s wording', path: '%order.medication.ofType(Reference).display', read },
      { label: 'code’s name', path: `%drugConcept.coding.where(${otherSystems()}).display`, read },
    ],
    compare: {
      name: 'compareDrugs',
      sentence:
        'agreement of meaning: brand and ingredient, equal amounts, another order of words; what one source leaves ' +
        'out contradicts nothing',
      call: (left, right): readonly Disagreement[] =>
        left === right ? ownDifferences(drugIn(left)) : differencesOf(drugIn(left), drugIn(right)),
    },
    beside: {
      name: 'inOrderOfText',
      sentence:
        'several ingredients, each with its strength, in the order of the order’s own text; the name of a source ' +
        'that states the kind of release or of tablet, where another leaves it open',
      call: (readings) => (readings.length < 2 ? readings : nameOfWholeKind(besideText(readings))),
    },
    aspects: {
      name: {
        differ: 'The {leftSource} names {left}, the {rightSource} names {right}. Which drug is ordered?',
        alone: 'The {leftSource} names two drugs: {words}. Which drug is ordered?',
        unknown: 'The {leftSource} names {left}, the {rightSource} names {right}. Check that they are one drug.',
      },
      release: {
        part: 'name',
        option: 'name',
        differ:
          'The {leftSource} and the {rightSource} name different kinds of this drug ({left} and {right}). ' +
          'Which one is ordered?',
      },
      strength: {
        differ: 'The {leftSource} says {left}, the {rightSource} says {right}. Which strength is ordered?',
        unknown: 'The {leftSource} says {left}, the {rightSource} says {right}. Check the strength.',
      },
      form: {
        differ: 'The {leftSource} says {left}, the {rightSource} says {right}. Which dose form is ordered?',
      },
      unread: {
        part: 'name',
        option: 'readName',
        alone: 'The {leftSource} “{words}” has words that nothing is known of: {left}. Which drug is ordered?',
        unlessStated: 'name',
      },
      states: {
        part: 'name',
        option: 'readName',
        alone: 'The {leftSource} says of the order: {left}. Is this drug still to be requested?',
      },
      flags: { part: 'name', told: 'The {leftSource} says of the order: {left}.' },
    },
    keys: [
      'name',
      'named',
      'note',
      'refused',
      'strength',
      'form',
      'release',
      'route',
      'source',
      'isDerived',
      'isInSalts',
      'words',
    ],
  });
};

// Readings of one name are the same object (`drugsNamed`), so their comparisons are cached by object.
const compared = new WeakMap<DrugReading, WeakMap<DrugReading, readonly Disagreement[]>>();

function differencesOf(left: DrugReading, right: DrugReading): readonly Disagreement[] {
  const ofLeft = compared.get(left) ?? new WeakMap<DrugReading, readonly Disagreement[]>();
  const differences = ofLeft.get(right) ?? compareDrugs(left, right, knowledge);
  compared.set(left, ofLeft.set(right, differences));
  return differences;
}

// Problems within one source: two drugs, or words that are not part of a drug name (`unread`, `states`, `flags`).
function ownDifferences(drug: DrugReading): readonly Disagreement[] {
  const { unread, states, flags } = drug;
  const same = differencesOf(drug, drug);
  if (unread.length + states.length + flags.length === 0) return same;
  const present = Object.entries({ unread, states, flags }).filter(([, words]) => words.length > 0);
  return [...same, ...present.map(([aspect]): Disagreement => ({ aspect, certainty: 'differs' }))];
}

/**
 * Systems whose codes are groups, vaccine classes or billing units: HCPCS J9271 "pembrolizumab, 1 mg" is billed per
 * milligram and is not a product. Systems of a practice or a vendor are not listed, because their codes may be
 * products.
 */
const noProducts = Object.values(systems).filter((url) => namesNoProduct(url) || systemKind(url) === 'diagnosis');
const isGroup = noProducts.map((url) => `system = '${url}'`).join(' or ');
const isProduct = noProducts.map((url) => `system != '${url}'`).join(' and ');

function otherSystems(): string {
  return `system.empty() or (system != %rxnorm and system != %ndc and ${isProduct})`;
}

// A text that only repeats the display of a group's code does not name a product either.
function textOf(concept: string): string {
  const own = `${concept}.where(coding.exists((${isGroup}) and display = ${concept}.text).not())`;
  return `iif(${concept}.coding.exists(${isGroup}), ${own}, ${concept}).text`;
}

function besideText(readings: readonly Reading[]): readonly Reading[] {
  if (!readings.some((reading) => drugIn(reading).components !== undefined)) return readings;
  const text = readings.map(drugIn).find(({ source, amounts }) => source === 'text' && amounts.length > 1);
  if (text === undefined) return readings;
  return readings.map((reading) => {
    const drug = drugIn(reading);
    const ordered = drug.source === 'text' ? undefined : inOrderOfText(drug, text);
    return ordered === undefined || reading.unread !== undefined ? reading : { ...reading, ...ordered };
  });
}

// If the NDC says "lamotrigine 100 mg tablet" and the text says "lamotrigine ODT 100 mg", only the text names the whole
// product, so the NDC's name is dropped.
function nameOfWholeKind(readings: readonly Reading[]): readonly Reading[] {
  const drugs = readings.map(drugIn);
  const kinds = (['release', 'piece'] as const).filter((key) => drugs.some((drug) => isOther(drug[key])));
  if (kinds.length === 0) return readings;
  const isWhole = (reading: Reading): boolean => kinds.every((key) => statesKind(reading, key));
  if (readings.every(isWhole) || areUnlike(drugs)) return readings;
  return readings.map((reading) =>
    isWhole(reading) ? reading : stated({ ...reading, name: undefined, named: undefined }),
  );
}

function statesKind({ drug, ofCode }: Reading, key: 'release' | 'piece'): boolean {
  return [drug, ofCode].some((one) => (one as DrugReading | undefined)?.[key] !== undefined);
}

function isOther(kind: DrugReading['release'] | DrugReading['piece']): boolean {
  return kind !== undefined && !('kind' in kind && kind.kind === 'immediate');
}

function areUnlike(drugs: readonly DrugReading[]): boolean {
  return drugs.some((one, at) =>
    drugs.slice(at + 1).some((other) => differencesOf(one, other).some(({ aspect }) => isOfProduct.has(aspect))),
  );
}

// If sources differ in one of these aspects, they mean different products, and neither completes the name of the other.
const isOfProduct = new Set(['name', 'form', 'release']);

// `asReading` adds the DrugReading to every reading.
function drugIn({ drug }: Reading): DrugReading {
  return drug as DrugReading;
}

function asReading(drug: DrugReading): Reading {
  const reading = readings.get(drug) ?? stated(membersOf(drug));
  readings.set(drug, reading);
  return reading;
}

const readings = new WeakMap<DrugReading, Reading>();

function stated(reading: Reading): Reading {
  const entries = Object.entries(reading).filter(([, value]) => value !== undefined);
  return { ...Object.fromEntries(entries), words: reading.words };
}

// If the text was refused for one of these reasons, its parsed name is unreliable, so the whole text is the name.
const unclearNames: ReadonlySet<Refusal> = new Set([damagedText, 'two_numbers', 'mixture', 'another_drug_named']);

function membersOf(drug: DrugReading): Reading {
  const { words, strength, route, source, isDerived, isInSalts, note, refused } = drug;
  // A damaged text may have contained a form.
  const form = drug.form ?? (refused === damagedText ? words : undefined);
  const [unread, states, flags] = [drug.unread, drug.states, drug.flags].map((said) => said.join(', ') || undefined);
  // If the source has unread words, its name is not used: another source may have the name, or else a person is asked.
  const whole = drug.isCertain || refused === undefined || !unclearNames.has(refused) ? drug.name : drug.plain;
  const name = unread === undefined ? whole : undefined;
  const release = [drug.release?.words, drug.piece?.words].filter(Boolean).join(' ') || 'plain';
  return {
    ...{ words, name, note, refused, strength, form, release, route, source, isDerived, isInSalts, drug },
    ...{ readName: drug.name, unread, states, flags },
  };
}

const ofDirections = readBy(routeOfDirections, { aspect: 'route', member: 'directions', isKind: true });

const routeBy = ({ route, routeWords }: Tables): Agree =>
  agree({
    sources: [
      { label: 'dose instruction', path: '%dose.route', read: readBy(route, { aspect: 'route', member: 'concept' }) },
      { label: 'drug’s form', path: '%drug.form', read: readBy(routeWords, { aspect: 'route', member: 'form' }) },
      { label: 'text of the directions', path: '%dose.patientInstruction | %dose.text', read: ofDirections },
    ],
    compare: sameValue('route', routeKinds, routesAlike),
    aspects: {
      route: {
        part: 'concept',
        differ: 'The {leftSource} says {left}, the {rightSource} says {right}. Which route is it?',
      },
    },
    keys: ['concept', 'form', 'directions', 'route', 'words'],
  });

const supplyUnitBy = (tables: Tables): Agree => {
  const read = readUnit(tables);
  const ofOrder = readBy(tables.dispenseUnit, { aspect: 'unit', member: 'quantity' });
  return agree({
    sources: [
      { label: 'order', path: '%supply.quantity', read: ofOrder },
      { label: 'drug’s form', path: '%drug.form', read },
      { label: 'dose', path: '%dose', read },
    ],
    compare: {
      name: 'unitContradicts',
      sentence:
        'certain contradictions only: tablets of an injection, milliliters of a tablet, a dose in milliliters ' +
        'of tablets',
      call: compareUnits,
    },
    aspects: {
      unit: {
        part: 'quantity',
        differ: 'The {leftSource} says {left}, the {rightSource} says {right}. What is dispensed?',
      },
    },
    keys: ['quantity', 'unit', 'words'],
  });
};

function compareUnits(left: Reading, right: Reading): readonly Disagreement[] {
  const [supply, other] = left.quantity === undefined ? [right, left] : [left, right];
  // A unit that contradicts its own code cannot be compared. The field of the unit asks about that.
  if (supply.known !== true || other.source === undefined) return [];
  const isWrong =
    other.source === 'form'
      ? unitContradictsForm(supply.words, other.words) || unitContradictsForm(String(supply.unit), other.words)
      : unitsContradict([other.stated as Dosage], supply.quantity as Quantity); // the readers of both sources set these
  return isWrong ? [{ aspect: 'unit', certainty: 'differs' }] : [];
}

function readUnit({ dispenseUnit }: Tables): AgreeSource['read'] {
  const ofForm = memoized((form) => formUnit(form, dispenseUnit));
  return {
    name: 'readUnit',
    sentence: 'the unit that a dose form is counted in, or the one ordered dose',
    call: (stated) => (typeof stated === 'string' ? ofForm(stated) : doseUnit(stated, dispenseUnit)),
  };
}

function doseUnit(stated: unknown, dispenseUnit: Tables['dispenseUnit']): readonly Reading[] {
  const dose = isObject(stated) ? readDose(stated) : '';
  if (typeof dose === 'string') return [];
  const found = dispenseUnit.apply(dose);
  return [{ words: dose.unit, source: 'dose', stated, unit: 'value' in found ? found.value : dose.unit }];
}

// The usual unit of the form, in the service's words. It is offered to a person and never sent automatically.
const usualUnits = { counted: undefined, volume: 'milliliter', mass: 'gram', container: 'pack' } as const;

function countedUnit(form: string, dispenseUnit: Tables['dispenseUnit']): string {
  const found = dispenseUnit.apply({ unit: form.split(' ').at(-1)?.toLowerCase() });
  return 'value' in found ? found.value : form;
}

function formUnit(form: string, dispenseUnit: Tables['dispenseUnit']): readonly Reading[] {
  const [kind] = unitKindsOf(form);
  if (kind === undefined) return [];
  return [{ words: form, source: 'form', unit: usualUnits[kind] ?? countedUnit(form, dispenseUnit) }];
}
