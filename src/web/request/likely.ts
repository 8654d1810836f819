import type { Route } from '../../core/contract/lists.ts';
import { amountWords } from '../../core/drug/amount-words.ts';
import { unitContradictsForm, unitKindsOf } from '../../core/drug/dispense-unit.ts';
import { routesSaid } from '../../core/drug/dosage/route-said.ts';
import { formOf } from '../../core/drug/form.ts';
import { usStates } from '../../core/fhir/codes/us-states.ts';
import type { Draft } from './draft.ts';
import { type FieldSpec, stateOptions } from './labels.ts';
import type { Leaves } from './leaves.ts';
import { listOf } from './typed/listed-word.ts';

/** An answer that a person may choose with one click. */
export interface Likely {
  readonly value: string;
  readonly label: string;
}

const [unitLeaf, formLeaf, routeLeaf, directionsLeaf] = [
  'prescription.dispense_unit',
  'prescription.dose_form',
  'prescription.route_of_administration',
  'prescription.directions',
];

/** The request that an answer must match. */
type Asked = Pick<Draft, 'values' | 'drugNames'>;

/**
 * The likely answers in a field's list, judged by the rest of the request, the likeliest first. Often there are none.
 */
export function likelyAnswers(spec: FieldSpec, { values, drugNames }: Asked): readonly Likely[] {
  if (spec.input === 'state') return statesBeside(spec.target, values);
  const words = [...new Set(wordsFor(spec, { values, drugNames }))].filter((word) => listOf(spec).includes(word));
  const amount = spec.target === unitLeaf ? values.get('prescription.quantity') : undefined;
  return words.map((value) => ({ value, label: amount === undefined ? value : amountWords(String(amount), value) }));
}

/** The owner of an address, by the beginning of its targets. */
const addressOf = { patient: 'patient’s address', provider: 'prescriber’s address', pharmacy: 'pharmacy’s address' };

/** The states in the request's other addresses, each with the owner of the address. */
function statesBeside(target: string, values: Leaves): Likely[] {
  const named = Object.entries(addressOf).flatMap(([owner, words]) => {
    const leaf = `${owner}.address.state_province`;
    const state = usStates.find(([code]) => code === values.get(leaf));
    return leaf === target || state === undefined ? [] : [{ state, words }];
  });
  return [...Map.groupBy(named, ({ state: [code] }) => code)].flatMap(([value, own]) => {
    const name = own[0]?.state[1] ?? '';
    return [{ value, label: `${value} · ${name} (${own.map(({ words }) => words).join(', ')})` }];
  });
}

function wordsFor({ target }: FieldSpec, { values, drugNames }: Asked): readonly string[] {
  const form = textOf(values.get(formLeaf));
  if (target === unitLeaf) return form === undefined ? [] : unitsOf(form, deviceOf(form, drugNames));
  if (target === formLeaf) return formsOf(textOf(values.get(unitLeaf)));
  if (target !== routeLeaf) return [];
  return routesOf(form, deviceOf(form, drugNames), textOf(values.get(directionsLeaf)));
}

/** The device of an injection: the service's dose form does not state it, but the drug's names may. */
function deviceOf(form: string | undefined, drugNames: readonly string[]): string | undefined {
  const devices = [form, ...drugNames].flatMap((words) => formOf(words)?.device ?? []);
  const [device, ...others] = new Set(devices);
  return others.length === 0 ? device : undefined;
}

function unitsOf(form: string, device: string | undefined): string[] {
  const read = formOf(form);
  const kinds = unitKindsOf(form);
  return kinds
    .flatMap((kind) => {
      if (kind === 'volume') return ['milliliter'];
      if (kind === 'mass') return ['gram'];
      if (kind === 'counted') return [read?.family ?? '', 'pack'];
      if (read?.family === 'inhaler') return ['inhaler'];
      return read?.family === 'injection' && (device ?? 'vial') === 'vial' ? ['vial', 'pack'] : ['pack'];
    })
    .filter((unit) => !unitContradictsForm(unit, form));
}

// A unit that counts pieces has the name of its dose form.
function formsOf(unit: string | undefined): string[] {
  return unit === undefined ? [] : [unit];
}

function routesOf(form: string | undefined, device: string | undefined, directions = ''): readonly string[] {
  const said = routesSaid(directions);
  const read = formOf(form);
  if (said.length > 0) return said;
  if (read?.route !== undefined) return [read.route];
  return routesOfFamily[read?.family === 'injection' && device === 'pen' ? 'pen' : (read?.family ?? '')] ?? [];
}

/** A plain injection has no row, because no route is more likely than another. Pens do not inject into a vein. */
const routesOfFamily: Readonly<Record<string, readonly Route[]>> = {
  pen: ['subcutaneous', 'intramuscular'],
  tablet: ['oral'],
  capsule: ['oral'],
  inhaler: ['inhalation'],
  patch: ['transdermal'],
};

/** The field with its likely answers at the top of its list. */
export function likelyFirst(spec: FieldSpec, likely: readonly Likely[]): FieldSpec {
  if (likely.length === 0) return spec;
  const first = ['', ...likely.map(({ value }) => value)];
  const rank = (word: string) => (first.includes(word) ? first.indexOf(word) : first.length);
  const options = spec.options ?? (spec.input === 'state' ? stateOptions : undefined);
  return {
    ...spec,
    ...(spec.suggestions && { suggestions: spec.suggestions.toSorted((a, b) => rank(a) - rank(b)) }),
    ...(options && { options: options.toSorted(([a], [b]) => rank(a) - rank(b)) }),
  };
}

function textOf(value: string | number | boolean | undefined): string | undefined {
  return value === undefined || value === '' ? undefined : String(value);
}
