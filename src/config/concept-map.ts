import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { canonicalSystem, systems } from '../core/fhir/codes/systems.ts';
import { inOurWords } from '../core/issue-words.ts';
import type { SiteConceptMap } from '../core/roles/concept-map.ts';

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

// Any spelling of a code system's URI is accepted.
const system = z.string().min(1).transform(canonicalSystem);

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
          source: system,
          target: system,
          element: z.array(
            z.object({
              code: z.string().min(1),
              target: z
                .array(
                  z.object({
                    code: z.string().min(1).optional(),
                    display: z.string().optional(),
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
    if (!group.some(({ target }) => target === systems.icd10))
      context.addIssue({ code: 'custom', path: ['group'], message: 'no group has ICD-10-CM as its target' });
    group.forEach(({ target: into, element }, groupIndex) => {
      element.forEach(({ target = [] }, elementIndex) => {
        target.forEach(({ code, equivalence }, index) => {
          const isUsed = into === systems.icd10 && ['equal', 'equivalent'].includes(equivalence);
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

/** The path of a ConceptMap file. Validation also reads the file. */
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
  const map = ConceptMapFile.safeParse(raw, inOurWords);
  return map.success
    ? { map: map.data }
    : { problems: map.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`) };
}
