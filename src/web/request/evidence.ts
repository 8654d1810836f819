import { z } from 'zod';
import type { Provenance } from '../../core/mapping/result.ts';

/** One item of evidence in a request body. */
export interface Evidence {
  readonly title: string;
  /** A FHIR date or dateTime, as in the body. */
  readonly date?: string;
  readonly content?: unknown;
  readonly provenance?: Provenance;
}

const text = z.string().optional().catch(undefined);
const Asset = z.object({ file_content: z.string() }).optional().catch(undefined);
const Items = z.object({
  evidence: z.array(z.object({ title: text, type: text, date_created: text, content: z.unknown(), asset: Asset })),
});

/** The evidence in a body. Items of an enrollment have no title, so their type is used. */
export function evidenceOf(body: unknown, provenance: readonly Provenance[]): Evidence[] {
  const parsed = Items.safeParse(body);
  if (!parsed.success) return [];
  return parsed.data.evidence.map(({ title, type, date_created, content: said, asset }, index) => {
    const content = asset === undefined ? said : { file: pdfText(asset.file_content) };
    const origin =
      provenance.find(({ target }) => target.startsWith(`evidence[${index}].content`)) ??
      provenance.find(({ target }) => target.startsWith(`evidence[${index}]`));
    return {
      title: title ?? [type, topicOf(content)].filter((part) => part !== undefined).join(': '),
      ...(date_created === undefined ? {} : { date: date_created }),
      ...(content === undefined ? {} : { content }),
      ...(origin === undefined ? {} : { provenance: origin }),
    };
  });
}

/** `PDF, 240 KB` for a file in base64. */
export function pdfText(base64: string): string {
  return `PDF, ${Math.max(1, Math.round((base64.length * 3) / 4 / 1024))} KB`;
}

// The subject of an item, from the first of these properties that the item has.
const Topic = z.object({ drug: text, test: text, substance: text, diagnosis: text, kind: text });

function topicOf(content: unknown): string | undefined {
  const { drug, test, substance, diagnosis, kind } = Topic.safeParse(content).data ?? {};
  return drug ?? test ?? substance ?? diagnosis ?? kind;
}
