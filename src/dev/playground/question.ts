import { z } from 'zod';
import { BridgeError } from '../../core/errors.ts';

/** The fields of the page's form. Each may be empty. */
export interface PlaygroundQuestion {
  /** The name of a chart of the package; empty for the user's own bundle. */
  readonly chart: string;
  /** The chart that the page showed when the form was sent; undefined if there was no form. */
  readonly shown?: string;
  /** The user's own bundle as JSON text. */
  readonly text: string;
  readonly mapping: string;
  readonly order: string;
  readonly day: string;
}

const name = z.string().max(200).default('');
const Fields = z.object({
  chart: name,
  mapping: name,
  order: name,
  day: z.union([z.iso.date(), z.literal('')]).default(''),
  shown: name.optional(),
});

/** Reads the query, as in `?chart=story-complete&mapping=prior-auth`. Throws bad_request if it is invalid. */
export function questionOfQuery(query: unknown): PlaygroundQuestion {
  const fields = Fields.omit({ shown: true }).safeParse(query ?? {});
  if (!fields.success) throw new BridgeError('bad_request');
  return { ...fields.data, text: '' };
}

/**
 * Reads the form. A file takes precedence over pasted text, and both over a chart, unless the person has just selected
 * that chart. Throws bad_request.
 */
export async function questionOfForm(form: FormData): Promise<PlaygroundQuestion> {
  const texts = [...form].flatMap(([key, value]): [string, string][] =>
    typeof value === 'string' ? [[key, value]] : [],
  );
  const fields = Fields.safeParse(Object.fromEntries(texts));
  if (!fields.success) throw new BridgeError('bad_request');
  const { shown = '', ...rest } = fields.data;
  const file = form.get('file');
  const pasted = form.get('text');
  if (file instanceof File && file.size > 0) return { ...rest, shown, chart: '', text: await file.text() };
  const text = typeof pasted === 'string' ? pasted : '';
  return rest.chart === '' || (text.trim() !== '' && rest.chart === shown)
    ? { ...rest, shown, chart: '', text }
    : { ...rest, shown, text: '' };
}
