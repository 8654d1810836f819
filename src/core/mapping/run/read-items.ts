import { systems } from '../../fhir/codes/systems.ts';
import { isObject } from '../../fhir/is-object.ts';
import type { Refusal } from '../../fhir/references/refusals.ts';
import { type Decoding, damagedText, isOrdinary, type Mended, mayBeOdd, mendText } from '../../fhir/text/damage.ts';
import type { CompiledPath } from '../../fhirpath/compile.ts';
import type { Environment, Items } from '../../fhirpath/environment.ts';
import { EvaluationError } from '../../fhirpath/error.ts';
import type { Item } from '../../fhirpath/item.ts';
import { extensionsOf } from '../../fhirpath/member.ts';
import type { Transformed } from '../words/rules.ts';
import type { CompiledSource } from '../words/tree.ts';
import { cleanValue, cleanWords, holdsDamage } from './clean.ts';

/** Why a text without characters is refused; this refusal is not reported. */
export const blankText: Refusal = 'blank';

/**
 * The items that an expression finds; undefined if FHIRPath signals an error because the data do not allow an answer.
 */
export function readItems(path: CompiledPath, context: Items, environment: Environment): Items | undefined {
  try {
    return path.run(context, environment);
  } catch (error) {
    if (error instanceof EvaluationError) return undefined;
    throw error;
  }
}

/** The result of a source for one item: a clean value, or why it is refused. */
export function transformed(source: CompiledSource, item: Item): Transformed<unknown> {
  const { value } = item;
  return value === undefined ? { refused: absentReason(item) } : transformedValue(source, value);
}

/** Like `transformed`, for an item that has a value. */
export function transformedValue(source: CompiledSource, value: unknown): Transformed<unknown> {
  if (typeof value !== 'string' || isOrdinary(value)) return ofClean(source, value);
  return mayBeOdd(value) ? ofOddText(source, value) : ofClean(source, cleanWords(value));
}

function ofClean({ transform }: CompiledSource, value: unknown): Transformed<unknown> {
  if (value === '') return { refused: blankText };
  const result: Transformed<unknown> = transform === undefined ? { value } : transform.apply(value);
  if (!isTaken(result)) return result;
  if (typeof value === 'string' && result.value === value) return result;
  if (typeof result.value !== 'string')
    return holdsDamage(result.value) ? { refused: damagedText } : withValue(result, cleanValue(result.value));
  if (isOrdinary(result.value)) return result;
  return mayBeOdd(result.value) ? ofOddResult(result, result.value) : withValue(result, cleanWords(result.value));
}

type Taken = Exclude<Transformed<unknown>, { readonly refused: string }>;

function withValue(result: Taken, value: unknown): Taken {
  return value === result.value ? result : { ...result, value };
}

function ofOddText(source: CompiledSource, given: string): Transformed<unknown> {
  const mended = mendText(given);
  if (mended.isDamaged) return { refused: damagedText };
  const result = ofClean(source, cleanWords(mended.text));
  return isTaken(result) ? withDecoding(result, mended) : result;
}

// The result of a transform for a concept or a reading, whose texts are not checked yet.
function ofOddResult(result: Taken, given: string): Transformed<unknown> {
  const mended = mendText(given);
  return mended.isDamaged
    ? { refused: damagedText }
    : withDecoding({ ...result, value: cleanWords(mended.text) }, mended);
}

function withDecoding(result: Taken, { note, isMisread }: Mended): Taken {
  if (note !== undefined) return decoded(result, { note, ...(isMisread === true ? { isMisread } : {}) });
  return isMisread === true ? { ...result, isMisread } : result;
}

export function decoded(result: Taken, { note, isMisread }: Decoding): Taken {
  const said = result.note === undefined ? note : `${note}; ${result.note}`;
  return { ...result, derived: true, note: said, ...(isMisread === true ? { isMisread } : {}) };
}

/** Whether a transform accepted a value. Reading a property is faster than testing whether it exists. */
export function isTaken<Out>(
  result: Transformed<Out>,
): result is Exclude<Transformed<Out>, { readonly refused: Refusal }> {
  return (result as { readonly refused?: Refusal }).refused === undefined;
}

// FHIR's data-absent-reason is an extension beside a primitive without a value.
function absentReason(item: Item): Refusal {
  const code = extensionsOf([item], systems.dataAbsentReason).map((extension) =>
    isObject(extension.value) ? extension.value.valueCode : undefined,
  )[0];
  if (code === undefined) return 'no_value';
  return code === 'masked' ? 'masked' : 'absent';
}
