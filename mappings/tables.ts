import type { CodeableConcept, Coding, Quantity } from 'fhir/r4.js';
import type { DispenseUnit, DoseForm, Route } from '../src/core/contract/lists.ts';
import type { genders } from '../src/core/contract/parts.ts';
import { sentencesSaid } from '../src/core/drug/dosage/route-said.ts';
import { formOf, formTerm } from '../src/core/drug/form.ts';
import { routeOfWord } from '../src/core/drug/form-words.ts';
import { isObject } from '../src/core/fhir/is-object.ts';
import type { Refusal } from '../src/core/fhir/references/refusals.ts';
import { meaningful } from '../src/core/fhir/text/placeholder.ts';
import type { Table, Transform } from '../src/core/mapping/words/rules.ts';
import { byTable, lookUp, oneRow } from '../src/core/mapping/words/table.ts';
import { memoized } from '../src/core/text-cache.ts';
import { dispenseUnitTable } from './tables/dispense-unit.ts';
import { doseFormTable } from './tables/dose-form.ts';
import { genderTable } from './tables/gender.ts';
import { type QuantityUnit, quantityUnitTable } from './tables/quantity-unit.ts';
import { routeTable, routeWordTable } from './tables/route.ts';
import { type RouteKind, routePhrases } from './tables/route-kind.ts';

/**
 * Transforms from FHIR codes and texts to the service's closed lists. A row exists only where the mapping is beyond
 * doubt; a value without a row is a gap that a person fills.
 */

/**
 * A value of the service's list of genders.
 * @example gender.apply('female') // { value: 'female' }
 */
export const gender: Transform<(typeof genders)[number]> = byTable('gender', genderTable, (value, table) =>
  typeof value === 'string' ? byText(table, value) : [],
);

/**
 * The service's dose form of a CodeableConcept.
 * @example doseForm.apply({ text: 'tablet' }) // { value: 'tablet' }
 */
export const doseForm: Transform<DoseForm> = byTable('dose form', doseFormTable, (value, table) =>
  byConcept(table, value, byFormWords),
);

/**
 * The service's route of a CodeableConcept.
 * @example route.apply({ text: 'oral' }) // { value: 'oral' }
 */
export const route: Transform<Route> = byTable('route', routeTable, (value, table) => {
  const { text, coding = [] } = isObject(value) ? (value as CodeableConcept) : {};
  // Words for another route contradict the codes.
  let keys = together(byConcept(table, value), byText(table, text));
  for (const { display } of coding) keys = together(keys, byText(table, display));
  return keys.every((key) => key === keys[0]) ? keys.slice(0, 1) : [...new Set(keys)];
});

/**
 * The service's unit of a Quantity.
 * @example dispenseUnit.apply({ value: 30, unit: 'tablet' }) // { value: 'tablet' }
 */
export const dispenseUnit: Transform<DispenseUnit> = byTable('dispense unit', dispenseUnitTable, byUnit, withoutUnit);

/** The NCIt code of the unit of a Quantity. */
export const quantityUnit: Transform<QuantityUnit> = byTable('quantity unit', quantityUnitTable, byUnit, withoutUnit);

/** The service's dose form for the form words in a drug's name. */
export const doseFormWords: Transform<DoseForm> = byTable(
  'dose form of the drug’s name',
  doseFormTable,
  (value, table) => (typeof value === 'string' ? byFormWords(table, value) : []),
);

/** The service's route, if the words for a dose form state one. */
export const routeWords: Transform<Route> = routeWordsBy(routeWordTable);

/** The kind of route that the patient instructions certainly state. If they state two kinds, neither is certain. */
export const routeOfDirections: Transform<RouteKind> = {
  name: 'route in directions',
  apply: (value) => {
    const said = typeof value === 'string' ? kindsSaid(value) : [];
    const [kind, ...others] = said;
    if (kind === undefined || others.length > 0) return { refused: 'no_certain_route' };
    return { value: kind };
  },
};

const kindsSaid = memoized((text): readonly RouteKind[] => {
  const said = sentencesSaid(text);
  const kinds = Object.entries(routePhrases) as [RouteKind, RegExp][]; // The table has a row for every kind.
  return kinds.flatMap(([kind, phrase]) => (said.some((sentence) => phrase.test(sentence)) ? [kind] : []));
});

function routeWordsBy<Out extends string>(table: Table<Out>): Transform<Out> {
  const hitsOf = memoized((form) => routeWordsOf(form, table));
  const hits = (value: unknown) => (typeof value === 'string' ? hitsOf(value) : []);
  return {
    name: 'route in the dose form',
    apply: (value) => {
      const said = oneRow(table, hits(value));
      return 'refused' in said
        ? { refused: 'no_certain_route' }
        : { ...said, derived: true, note: `the dose form is ${String(value)}` };
    },
    lookup: { table, hits, over: routeWordsBy },
  };
}

function routeWordsOf(form: string, table: Table): readonly string[] {
  const own = form
    .split(' ')
    .flatMap((word) => (routeOfWord(word.toLowerCase()) === undefined ? byText(table, word) : []));
  return [...own, ...byText(table, formOf(form)?.route)];
}

// A spelling with its own row (a site's) takes precedence over the normalized form word.
function byFormWords(table: Table, text: string | undefined): readonly string[] {
  const own = byText(table, text);
  return own.length > 0 || text === undefined ? own : byText(table, formTerm(withoutKind(text.trim().toLowerCase())));
}

// Every coding that has a row must agree; the text counts only when no coding has a row.
function byConcept(table: Table, value: unknown, byWords: typeof byText = byText): readonly string[] {
  const concept = isObject(value) ? (value as CodeableConcept) : {};
  const { coding = [] } = concept;
  const [only] = coding;
  const coded =
    coding.length === 1 && only
      ? byCoding(table, only, byWords)
      : coding.flatMap((one) => byCoding(table, one, byWords));
  return coded.length > 0 ? coded : byWords(table, concept.text);
}

function byCoding(table: Table, { system, code, display }: Coding, byWords: typeof byText): readonly string[] {
  const coded = byCode(table, system, code);
  return coded.length > 0 ? coded : byWords(table, display);
}

function byUnit(value: unknown, table: Table): readonly string[] {
  const { code, system, unit } = isObject(value) ? (value as Quantity) : {};
  const coded = together(byCode(table, system, code), bracketless(table, code));
  return unit === code ? coded : together(coded, bracketless(table, unit));
}

function withoutUnit(value: unknown): Refusal {
  const { code, unit } = isObject(value) ? (value as Quantity) : {};
  return meaningful(unit) === undefined && meaningful(code) === undefined ? 'no_unit' : 'unknown_word';
}

function together(some: readonly string[], more: readonly string[]): readonly string[] {
  if (more.length === 0) return some;
  return some.length === 0 ? more : [...some, ...more];
}

function byCode(table: Table, system = '', code?: string): readonly string[] {
  return code === undefined ? none : keysOf(table).ofCode(system)(code);
}

function byText(table: Table, text: string | undefined): readonly string[] {
  return text === undefined ? none : keysOf(table).ofText(text);
}

const none: readonly string[] = [];

/** Caches the keys for a table's codes and texts, because charts repeat the same ones. */
class TableKeys {
  readonly ofText: (text: string) => readonly string[];
  private readonly systems = new Map<string, TableKeys['ofText']>();

  constructor(private readonly table: Table) {
    this.ofText = memoized((text) => {
      const lower = text.trim().toLowerCase();
      return this.known(kindEndings.some((ending) => lower.endsWith(ending)) ? withoutKind(lower) : lower);
    });
  }

  ofCode(system: string): TableKeys['ofText'] {
    const found = this.systems.get(system);
    if (found !== undefined) return found;
    const ofCode = memoized((code) => this.known(`${system}|${code}`.toLowerCase()));
    if (this.systems.size >= mostSystems) this.systems.clear();
    this.systems.set(system, ofCode);
    return ofCode;
  }

  private known(key: string): readonly string[] {
    return lookUp(this.table, key) === undefined ? none : [key];
  }
}

// More than enough, because elements of one kind use only a few code systems.
const mostSystems = 50;
const tableKeys = new WeakMap<Table, TableKeys>();

function keysOf(table: Table): TableKeys {
  const found = tableKeys.get(table);
  if (found !== undefined) return found;
  const made = new TableKeys(table);
  tableKeys.set(table, made);
  return made;
}

const kindEndings = [')', ' route', ' dose form'];

function withoutKind(text: string): string {
  return text
    .replace(/ ?\((qualifier value|dose form|route|basic dose form|qualifier vallue)\)\s*$/, '')
    .replace(/ (route|dose form)$/, '');
}

// UCUM annotations ({tablet}, {Capsule}) are words in braces.
function bracketless(table: Table, unit: string | undefined): readonly string[] {
  const isAnnotation = unit?.startsWith('{') && unit.endsWith('}');
  return byText(table, isAnnotation ? unit?.slice(1, -1) : unit);
}
