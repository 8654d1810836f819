import type { Misshapen, Shape } from './read-shape.ts';

/**
 * The warnings about a resource that does not have the form of FHIR R4: the parts that were not read, the parts that
 * were therefore not used and why, that it seems to be of another release, and the texts that have lost characters.
 * Elements with the effect `ask` are listed as not read; asking about them is left to the caller.
 *
 * @param reference - `Patient/123`
 */
export function shapeWarnings(reference: string, { misshapen, foreign, lost = [] }: Shape): string[] {
  const absent = misshapen.filter(({ effect }) => effect === 'absent' || effect === 'ask').map(({ path }) => path);
  const unused = misshapen.filter(({ effect }) => effect === 'part' || effect === 'resource');
  return [
    ...(absent.length === 0
      ? []
      : [`${reference} is not of the form of FHIR R4 at ${firstOf(absent)}; what stands there was not read.`]),
    ...unused.slice(0, shown).map((one) => unusedText(reference, one)),
    ...(unused.length > shown ? [`${reference}: ${unused.length - shown} more parts were not used.`] : []),
    ...(foreign.length === 0
      ? []
      : [`${reference} is not FHIR R4: it has ${firstOf(foreign)}, which FHIR R4 does not have; that was not read.`]),
    ...(lost.length === 0 ? [] : [`${reference}: characters are lost in the text of ${firstOf(lost)}.`]),
  ];
}

/**
 * Why a resource is not used at all, in words that follow its name; undefined when it is used.
 *
 * @example unusableText(shape) // 'its status is not of the form of FHIR R4 and could change what it means'
 */
export function unusableText({ isUsable, misshapen }: Shape): string | undefined {
  const whole = misshapen.find(({ effect }) => effect === 'resource');
  return isUsable || whole === undefined ? undefined : `its ${nameOf(whole.path)} ${changesMeaning}`;
}

const changesMeaning = 'is not of the form of FHIR R4 and could change what it means';
const shown = 5;

function unusedText(reference: string, { path, part }: Misshapen): string {
  if (part === path) return `${reference}: ${path} was not used, because it is not of the form of FHIR R4.`;
  const what = part === undefined ? reference : `${reference}: ${part}`;
  return `${what} was not used, because its ${nameOf(path)} ${changesMeaning}.`;
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('.') + 1);
}

function firstOf(paths: readonly string[]): string {
  return paths.length <= shown
    ? paths.join(', ')
    : `${paths.slice(0, shown).join(', ')} and ${paths.length - shown} more`;
}
