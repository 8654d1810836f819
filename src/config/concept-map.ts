import { readFileSync } from 'node:fs';
import { z } from 'zod';

const icd10cm = ['http://hl7.org/fhir/sid/icd-10-cm', 'urn:oid:2.16.840.1.113883.6.90'];
const equivalences = [
  'relatedto',
  'equivalent',
  'equal',
  'wider',
  'subsumes',
  'narrower',
  'specializes',
  'inexact',
  'unmatched',
  'disjoint',
] as const;

/** FHIR R4 ConceptMap, as far as diagnoses are translated with it. */
const ConceptMapFile = z
  .object({
    resourceType: z.literal('ConceptMap'),
    url: z.string().optional(),
    version: z.string().optional(),
    name: z.string().optional(),
    title: z.string().optional(),
    status: z.enum(['draft', 'active', 'unknown'], 'a map that is in force; not retired'),
    group: z
      .array(
        z.object({
          source: z.string().min(1),
          target: z.string().min(1),
          element: z.array(
            z.object({
              code: z.string().min(1),
              target: z
                .array(
                  z.object({
                    code: z.string().min(1).optional(),
                    equivalence: z.enum(equivalences, 'equivalence of FHIR R4 (R5 has relationship instead)'),
                    dependsOn: z.array(z.unknown()).optional(),
                    product: z.array(z.unknown()).optional(),
                  }),
                )
                .optional(),
            }),
          ),
        }),
      )
      .min(1),
  })
  .superRefine(({ group }, context) => {
    if (!group.some(({ target }) => icd10cm.includes(target)))
      context.addIssue({ code: 'custom', path: ['group'], message: 'no group has ICD-10-CM as its target' });
    group.forEach(({ target: system, element }, groupIndex) => {
      element.forEach(({ target = [] }, elementIndex) => {
        target.forEach(({ code, equivalence }, index) => {
          const isUsed = icd10cm.includes(system) && ['equal', 'equivalent'].includes(equivalence);
          if (isUsed && !/^[A-Z]\d[0-9A-Z](\.?[0-9A-Z]{1,4})?$/i.test(code ?? ''))
            context.addIssue({
              code: 'custom',
              path: ['group', groupIndex, 'element', elementIndex, 'target', index, 'code'],
              message: 'not an ICD-10-CM code',
            });
        });
      });
    });
  });
export type SiteConceptMap = z.infer<typeof ConceptMapFile>;

/** The path of a ConceptMap file, read at once. */
export const conceptMap = z
  .string()
  .min(1)
  .transform((path, context): SiteConceptMap => {
    const read = readConceptMap(path);
    if ('map' in read) return read.map;
    for (const problem of read.problems) context.addIssue({ code: 'custom', message: `${path}: ${problem}` });
    return z.NEVER;
  });

function readConceptMap(path: string): { readonly map: SiteConceptMap } | { readonly problems: readonly string[] } {
  let raw: unknown;
  try {
    raw = JSON.parse(readFileSync(path, 'utf8'));
  } catch (cause) {
    return { problems: [`cannot be read: ${cause instanceof Error ? cause.message : 'unknown reason'}`] };
  }
  const map = ConceptMapFile.safeParse(raw);
  return map.success
    ? { map: map.data }
    : { problems: map.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`) };
}
