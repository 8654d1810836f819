import { z } from 'zod';
import { type Carried, type Editable, isSent, type ListedSent, type Sent } from '../../../cases/case.ts';
import { asksSameDrug } from '../../../cases/same-request.ts';
import { isAnswersItem, sentAnswersIn } from '../../../core/answers/sent-answers.ts';
import type { Statement } from '../../../core/answers/sheet.ts';
import { cellNames } from '../../../core/contract/answers-sheet.ts';
import type { MappingResult } from '../../../core/mapping/result.ts';
import type { Candidate } from '../../../core/roles/chart.ts';
import type { Launch } from '../../../ehr/smart/types.ts';
import type { Deps } from '../../http/deps.ts';
import { attachedKind } from '../attached.ts';

export interface EarlierItem {
  readonly title: string;
  /** The resources from which the item was read; empty for an attached file. */
  readonly references: readonly string[];
}

/** The patient's last request for the drug of this draft. */
export interface EarlierRequest {
  readonly sentAt: string;
  readonly items: readonly EarlierItem[];
  /** true if the request had answers to payer questions. */
  readonly answers: boolean;
  /** The latest statement of a person for each question, from this or an earlier request for the drug. */
  readonly statements: readonly Statement[];
}

// Few patients have more requests in a year.
const atMost = 20;

/** The last request for the same drug, whoever the prescriber was; undefined if there is none. */
export async function earlierRequest(
  { cases }: Pick<Deps, 'cases'>,
  launch: Launch,
  { case: one, result }: { readonly case: Editable; readonly result: MappingResult<unknown> },
): Promise<EarlierRequest | undefined> {
  const all = await cases.forPatient(launch.site.id, one.patient);
  const sent = all
    .filter((other): other is ListedSent => isSent(other) && other.kind === one.kind && other.id !== one.id)
    .toSorted((left, right) => (left.sentAt < right.sentAt ? 1 : -1));
  const asked = result.status === 'complete' ? result.body : result.draft;
  const read = await Promise.all(sent.slice(0, atMost).map(({ id }) => cases.get(id)));
  const [last, ...older] = read.filter(isSent).filter(({ body }) => asksSameDrug(asked, body));
  if (last === undefined) return undefined;
  const { sentAt, body } = last;
  return {
    sentAt,
    items: itemsOf(body),
    answers: sentAnswersIn(body) !== undefined,
    statements: statementsIn([last, ...older]),
  };
}

// Only requests with answers count: a request in between, such as a canceled one, may have had none.
function statementsIn(newestFirst: readonly Sent[]): Statement[] {
  const sent = newestFirst.filter(({ body }) => sentAnswersIn(body) !== undefined);
  const all = sent.flatMap(({ entries: { sheet } }) => sheet?.statements ?? []);
  return cellNames.flatMap((cell) => all.find((one) => one.cell === cell) ?? []);
}

/**
 * What a new request keeps of the earlier items, after all were searched in the present chart. Items that are gone, now
 * sensitive or no longer fit are dropped.
 */
export function carriedOf(
  { sentAt, items, answers, statements }: EarlierRequest,
  candidates: readonly Candidate[],
): Carried {
  const judged = items.map(({ title, references }) => {
    if (references.length === 0) return { title, why: 'file' as const };
    const found = candidates.find(({ reference }) => references.includes(reference));
    if (found === undefined) return { title, why: 'gone' as const };
    if (found.sensitive !== undefined) return { title, why: 'sensitive' as const };
    return found.fits ? { kept: found.reference } : { title, why: 'unfit' as const };
  });
  return {
    sentAt,
    kept: [...new Set(judged.flatMap((one) => ('kept' in one ? [one.kept] : [])))],
    dropped: judged.flatMap((one) => ('kept' in one ? [] : [one])),
    ...(answers ? { answers } : {}),
    ...(statements.length === 0 ? {} : { statements }),
  };
}

const Body = z.object({ evidence: z.array(z.object({ title: z.string(), content: z.unknown() })) });

function itemsOf(body: unknown): EarlierItem[] {
  const { evidence = [] } = Body.safeParse(body).data ?? {};
  // The answers are computed again, so they are not kept.
  const documents = evidence.filter((item) => !isAnswersItem(item));
  return documents.map(({ title, content }) => ({
    title,
    references: isAttached(content) ? [] : [...new Set(sourcesIn(content))],
  }));
}

function isAttached(content: unknown): boolean {
  return typeof content === 'object' && content !== null && 'kind' in content && content.kind === attachedKind;
}

// Each part of an item states its source resource; see mappings/evidence.ts.
function sourcesIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(sourcesIn);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    key === 'source' && typeof inner === 'string' ? [inner] : sourcesIn(inner),
  );
}
