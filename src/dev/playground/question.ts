import { z } from 'zod';
import { BridgeError } from '../../core/errors.ts';

/** The values of the page's form; each may be empty. */
export interface PlaygroundQuestion {
  /** The name of a chart of the package; empty for the user's own bundle. */
  readonly chart: string;
  /** The chart that the page showed when the form was sent; undefined for a typed or linked address. */
  readonly shown?: string;
  /** The user's own bundle as JSON text. */
  readonly text: string;
  readonly mapping: string;
  /** `MedicationRequest/9` */
  readonly order: string;
  /** `2026-11-21` */
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

/** From the address: `?chart=story-complete&mapping=prior-auth`. Throws bad_request for an invalid address. */
export function questionOfQuery(query: unknown): PlaygroundQuestion {
  const fields = Fields.omit({ shown: true }).safeParse(query ?? {});
  if (!fields.success) throw new BridgeError('bad_request');
  return { ...fields.data, text: '' };
}

/**
 * From the form. A file precedes pasted text, and both precede a chart unless the person just selected it. Throws
 * bad_request.
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
