import { isObject } from '../../fhir/is-object.ts';
import type { Refusal } from '../../fhir/refusals.ts';
import { systems } from '../../fhir/systems.ts';
import type { Path } from '../../fhirpath/compile.ts';
import type { Environment, Items } from '../../fhirpath/environment.ts';
import { EvaluationError } from '../../fhirpath/error.ts';
import type { Item } from '../../fhirpath/item.ts';
import { extensionsOf } from '../../fhirpath/member.ts';
import type { Transformed } from '../words/rules.ts';
import type { CompiledSource } from '../words/tree.ts';
import { cleanValue } from './clean.ts';

/** Why a text without characters is refused: of it nothing is said. */
export const blank: Refusal = 'blank';

/** What an expression finds; undefined where FHIRPath signals an error, that is, where the data cannot answer it. */
export function itemsOf(path: Path, context: Items, environment: Environment): Items | undefined {
  try {
    return path.run(context, environment);
  } catch (error) {
    if (error instanceof EvaluationError) return undefined;
    throw error;
  }
}

/** What a source makes of one item: a clean value, or why it is refused. */
export function transformed(source: CompiledSource, item: Item): Transformed<unknown> {
  const { value } = item;
  return value === undefined ? { refused: absentReason(item) } : transformedValue(source, value);
}

/** The same of the item's value, where it has one. */
export function transformedValue({ transform }: CompiledSource, value: unknown): Transformed<unknown> {
  const text = typeof value === 'string' ? cleanValue(value) : value;
  if (text === '') return { refused: blank };
  if (transform === undefined) return { value: cleanValue(text) };
  const result = transform.apply(text);
  if (!isTaken(result)) return result;
  const isClean = typeof text === 'string' && result.value === text;
  const sent = isClean ? text : cleanValue(result.value);
  return sent === result.value ? result : { ...result, value: sent };
}

/** Whether a transform took a value. What an object has is found faster than whether it has it. */
export function isTaken<Out>(
  result: Transformed<Out>,
): result is Exclude<Transformed<Out>, { readonly refused: Refusal }> {
  return (result as { readonly refused?: Refusal }).refused === undefined;
}

// FHIR's data-absent-reason stands beside a primitive without a value.
function absentReason(item: Item): Refusal {
  const code = extensionsOf([item], systems.dataAbsentReason).map((extension) =>
    isObject(extension.value) ? extension.value.valueCode : undefined,
  )[0];
  if (code === undefined) return 'no_value';
  return code === 'masked' ? 'masked' : 'absent';
}
