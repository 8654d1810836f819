import { unitContradictsForm, unitKindsOf } from '../../core/drug/dispense-unit.ts';
import { formOf } from '../../core/drug/form.ts';
import { usStates } from '../../core/fhir/codes/us-states.ts';
import type { FieldSpec } from './labels.ts';
import type { Leaves } from './leaves.ts';
import { listOf } from './typed/listed-word.ts';

/** An answer that a person may choose with one click. */
export interface Likely {
  readonly value: string;
  readonly label: string;
}

const [unitLeaf, formLeaf, routeLeaf] = [
  'prescription.dispense_unit',
  'prescription.dose_form',
  'prescription.route_of_administration',
];

/** The answers of a field's list that the rest of the request makes likely, the likeliest first; often none. */
export function likelyAnswers(spec: FieldSpec, values: Leaves): readonly Likely[] {
  if (spec.input === 'state') return statesBeside(spec.target, values);
  const words = [...new Set(wordsFor(spec, values))].filter((word) => listOf(spec).includes(word));
  const amount = spec.target === unitLeaf ? values.get('prescription.quantity') : undefined;
  return words.map((value) => ({ value, label: amount === undefined ? value : counted(Number(amount), value) }));
}

/** Whose address is meant, by the start of its leaves. */
const addressOf = { patient: 'patient’s address', provider: 'prescriber’s address', pharmacy: 'pharmacy’s address' };

/** The states that the other addresses of the request name, each with whose it is. */
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

function wordsFor({ target }: FieldSpec, values: Leaves): readonly string[] {
  const form = textOf(values.get(formLeaf));
  if (target === unitLeaf) return form === undefined ? [] : unitsOf(form);
  if (target === formLeaf) return formsOf(textOf(values.get(unitLeaf)));
  return target === routeLeaf ? routesOf(form) : [];
}

function unitsOf(form: string): string[] {
  const read = formOf(form);
  const kinds = unitKindsOf(form);
  return kinds
    .flatMap((kind) => {
      if (kind === 'volume') return ['milliliter'];
      if (kind === 'mass') return ['gram'];
      if (kind === 'counted') return [read?.family ?? '', 'pack'];
      if (read?.family === 'inhaler') return ['inhaler'];
      return read?.family === 'injection' && read.device === undefined ? ['vial', 'pack'] : ['pack'];
    })
    .filter((unit) => !unitContradictsForm(unit, form));
}

// What is counted in a piece has the name of its form.
function formsOf(unit: string | undefined): string[] {
  return unit === undefined ? [] : [unit];
}

function routesOf(form: string | undefined): string[] {
  const read = formOf(form);
  if (read === undefined) return [];
  if (read.route !== undefined) return [read.route];
  if (read.family === 'injection') return ['subcutaneous', 'intramuscular', 'intravenous'];
  if (read.family === 'tablet' || read.family === 'capsule') return ['oral'];
  if (read.family === 'inhaler') return ['inhalation'];
  return read.family === 'patch' ? ['transdermal'] : [];
}

function textOf(value: string | number | boolean | undefined): string | undefined {
  return value === undefined || value === '' ? undefined : String(value);
}

function counted(amount: number, unit: string): string {
  if (amount === 1) return `1 ${unit}`;
  return `${amount} ${/(?:ch|x|s)$/.test(unit) ? `${unit}es` : `${unit}s`}`;
}
