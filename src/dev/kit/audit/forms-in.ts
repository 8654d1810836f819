import { formOf, formTerm } from '../../../core/drug/form.ts';
import { spellOutForms } from '../../../core/drug/form-words.ts';

/** Returns the dose forms in a drug's text: `injection` for "... 40 mg/0.4 mL PnIj". */
export function formsIn(text: string): string[] {
  return longestRuns(text, formTerm);
}

/** The routes that the forms in a drug's text imply. */
export function routesOfFormsIn(text: string): string[] {
  return longestRuns(text, (words) => formOf(words)?.route);
}

const mostWords = 8;

// The longest match wins: "vaginal tablet" is not a tablet.
function longestRuns(text: string, read: (words: string) => string | undefined): string[] {
  const words = spellOutForms(text)
    .split(/[^\p{L}\p{N}/-]+/u)
    .filter((word) => word !== '');
  for (let length = Math.min(mostWords, words.length); length > 0; length -= 1) {
    const found = words.flatMap((_, at) => {
      const run = words.slice(at, at + length);
      return run.length < length ? [] : (read(run.join(' ')) ?? []);
    });
    if (found.length > 0) return [...new Set(found)];
  }
  return [];
}
