import { EhrSays } from '../../core/fhir/ehr-says.ts';
import { isObject } from '../../core/fhir/is-object.ts';
import { cleanText } from '../../core/fhir/text/text.ts';

const longest = 300;
const longestCode = 100;
/** Characters. Shorter values occur in ordinary words by chance. */
const shortestHidden = 4;

/**
 * Returns BridgeError options with an OAuth server's description of its refusal (RFC 6749 4.1.2.1 and 5.2). `hidden`:
 * confidential values of the request, which the description may quote. `stated`: the error code if it is already among
 * the error's facts. Any other code is put before the description, because the EHR's own text must not be logged.
 */
export function saidOf(
  refusal: unknown,
  { hidden, stated }: { readonly hidden: readonly string[]; readonly stated: string | undefined },
): { readonly cause?: EhrSays } {
  if (!isObject(refusal)) return {};
  const { error, error_description: description, error_uri: uri } = refusal;
  const page = typeof uri === 'string' && URL.parse(uri)?.protocol === 'https:' ? uri : undefined;
  const words = [description, page].flatMap((text) => wordsOf(text, hidden, longest) ?? []);
  const code = error === stated ? undefined : wordsOf(error, hidden, longestCode);
  const texts = [...(code === undefined ? [] : [words.length === 0 ? code : `${code}:`]), ...words];
  return texts.length === 0 ? {} : { cause: new EhrSays(texts) };
}

function wordsOf(text: unknown, hidden: readonly string[], limit: number): string | undefined {
  if (typeof text !== 'string') return undefined;
  // Hidden values are removed before the text is cut off, so that no part of a value remains at its end.
  const words = without(cleanText(without(text, hidden)), hidden).slice(0, limit);
  return words === '' ? undefined : words;
}

function without(text: string, hidden: readonly string[]): string {
  const spellings = hidden
    .filter(({ length }) => length >= shortestHidden)
    .flatMap((secret) => [secret, encodeURIComponent(secret)])
    .sort((one, other) => other.length - one.length);
  return spellings.reduce((left, secret) => left.replaceAll(secret, '…'), text).replaceAll(token, '…');
}

/** A JWT, complete or cut off. */
const token = /\beyJ[\w-]{8,}(?:\.[\w-]*)*/g;
