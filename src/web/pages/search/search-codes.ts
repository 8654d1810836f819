import { z } from 'zod';
import type { Code } from '../../../config/code.ts';
import { codeQuery, matches } from '../../../config/code-query.ts';
import { icd10cm } from '../../../config/code-systems.ts';
import { normaliseIcd10 } from '../../../core/fhir/codes/icd10.ts';
import type { Gap, Provenance } from '../../../core/mapping/result.ts';
import type { Chart } from '../../../core/roles/chart.ts';
import type { CodeSet } from '../../../store/types.ts';
import type { Deps } from '../../http/deps.ts';
import type { Leaves } from '../../request/leaves.ts';
import { search } from '../documents/words.ts';

/** A diagnosis code that a person may choose. */
export interface FoundCode {
  readonly code: string;
  /** '' if the code has no known title. */
  readonly title: string;
  /** Why the code comes before others: it is in the chart, or the practice used it before. */
  readonly note?: string;
}

export interface FoundCodes {
  readonly codes: readonly FoundCode[];
  /** The category that was typed; `codes` has its codes. */
  readonly category?: Code;
  /** The code file that was searched; absent if none is loaded. */
  readonly file?: CodeSet;
}

/** The loaded code file, and its rows for the codes of the request. */
export interface KnownCodes {
  readonly file?: CodeSet;
  readonly named: ReadonlyMap<string, Code>;
  /** true if the code file is incomplete, so that a code it lacks may be correct. */
  readonly isPartial?: boolean | undefined;
}

/** What is searched besides the code file. */
interface Searched {
  readonly values: Leaves;
  readonly chart: Chart;
  readonly choices: readonly Gap[];
}

/** What the check of a draft's codes needs. */
interface Judged {
  readonly values: Leaves;
  readonly provenance: ReadonlyMap<string, Provenance>;
  readonly codes: KnownCodes;
}

export const usedDiagnosis = 'diagnosis';

/** The key under which diagnoses used for this drug are stored; undefined if the values name no drug. */
export function usedForDrug(values: Leaves): string | undefined {
  const name = values.get('prescription.drug_name') ?? values.get('prescription.extra.drug_name');
  return typeof name === 'string' && name !== '' ? `${usedDiagnosis} for ${name.trim().toLowerCase()}` : undefined;
}

const atMost = 20;
/** The number of a practice's codes that are searched. Most practices use a few dozen. */
const mostUsed = 300;

/**
 * Codes that match the text: first codes of the chart, then codes that the practice used before, then codes of the code
 * file. Without a text, codes of the chart and codes that the practice used for this drug. Categories are left out.
 * Used codes that a complete code file lacks are left out too, because an edition may have dropped them.
 */
export async function searchCodes(
  deps: Pick<Deps, 'codes' | 'codesArePartial' | 'used'>,
  draft: Searched & { readonly case: { readonly site: string } },
  text: string,
): Promise<FoundCodes> {
  const query = codeQuery(text);
  const isEmpty = text.trim() === '';
  const [used, inFile, category] = await Promise.all([
    usedCodes(deps, draft.case.site, isEmpty ? usedForDrug(draft.values) : usedDiagnosis),
    deps.codes?.find(icd10cm, query, atMost * 2) ?? [],
    query.code === undefined ? undefined : categoryOf(deps, query.code),
  ]);
  const known = [...used, ...chartCodes(draft)].map(({ code }) => code);
  const { file, titles } = await titlesOf(deps, known);
  const isWhole = file !== undefined && deps.codesArePartial !== true;
  const near = [...chartCodes(draft), ...used.filter(({ code }) => !isWhole || titles.has(code))]
    .map((one) => ({ ...one, title: titles.get(one.code)?.title ?? one.title }))
    .filter(({ code }) => titles.get(code)?.billable !== false);
  const all = [
    ...near.filter((one) => isEmpty || matches(one, query)),
    ...inFile.map(({ code, title }) => ({ code, title })),
  ];
  const codes = distinct(all)
    .toSorted((one, other) => Number(other.code === query.code) - Number(one.code === query.code))
    .slice(0, atMost);
  return { codes, ...(category === undefined ? {} : { category }), ...(file === undefined ? {} : { file }) };
}

/** The rows of the code file for these codes. */
export async function knownCodes(
  deps: Pick<Deps, 'codes' | 'codesArePartial'>,
  codes: readonly string[],
): Promise<KnownCodes> {
  const { file, titles } = await titlesOf(deps, codes);
  return file === undefined ? { named: titles } : { file, named: titles, isPartial: deps.codesArePartial };
}

/**
 * Problems of the request's codes according to the code file. A category blocks sending if a person entered it and
 * warns if it comes from the chart. A code that the file lacks warns.
 */
export function codeGaps({ values, provenance, codes }: Judged): Gap[] {
  const { file, named, isPartial } = codes;
  if (file === undefined) return [];
  return diagnosesIn(values).flatMap(([target, code]): Gap[] => {
    const known = named.get(code);
    if (known?.billable === true) return [];
    if (known === undefined)
      return isPartial === true || normaliseIcd10(code) === undefined
        ? []
        : [{ target, severity: 'warns', reason: 'advice', message: search.isUnknown(code, file.year), looks: [] }];
    const severity = provenance.get(target)?.kind === 'entered' ? 'blocks' : 'warns';
    return [{ target, severity, reason: 'invalid', message: search.isCategory(code), looks: [] }];
  });
}

/** The diagnosis codes of a body with their targets. */
export function diagnosesIn(values: Leaves): [target: string, code: string][] {
  return [...values].flatMap(([target, code]) =>
    /^diagnoses\[\d+\]\.code$/.test(target) ? [[target, String(code)] as [string, string]] : [],
  );
}

interface Titles {
  readonly file?: CodeSet | undefined;
  readonly titles: ReadonlyMap<string, Code>;
}

async function titlesOf({ codes }: Pick<Deps, 'codes'>, wanted: readonly string[]): Promise<Titles> {
  if (codes === undefined) return { titles: new Map() };
  const found = await codes.named(icd10cm, [...new Set(wanted)]);
  return { file: found.file, titles: new Map(found.codes.map((one) => [one.code, one])) };
}

async function categoryOf(deps: Pick<Deps, 'codes'>, code: string): Promise<Code | undefined> {
  const named = (await titlesOf(deps, [code])).titles.get(code);
  return named?.billable === false ? named : undefined;
}

async function usedCodes({ used }: Pick<Deps, 'used'>, site: string, what: string | undefined): Promise<FoundCode[]> {
  const most = what === undefined ? [] : ((await used?.most(site, what, mostUsed)) ?? []);
  return most.flatMap(({ content, count }) => {
    const known = UsedCode.safeParse(content).data;
    return known === undefined ? [] : [{ code: known.code, title: known.title ?? '', note: search.usedHere(count) }];
  });
}

/** What is stored for each diagnosis that was sent: its code, and its title in the chart. */
export const UsedCode = z.object({ code: z.string(), title: z.string().optional() });

/**
 * The coded problems among the candidates for the diagnosis, and the codes that the site's map gives for a reason
 * without a code.
 */
function chartCodes({ chart, choices }: Searched): FoundCode[] {
  const candidates = chart.choice('diagnosis')?.candidates ?? [];
  const coded = candidates.flatMap(({ label, fits }) => {
    // The label of a usable candidate is its title and code: `Plaque psoriasis (L40.0)`.
    const [, title = '', code] = /^(.*) \(([^()]*)\)$/.exec(label) ?? [];
    const normal = normaliseIcd10(code);
    return fits && normal !== undefined ? [{ code: normal, title, note: search.inChart }] : [];
  });
  const mapped = choices
    .filter(({ target }) => target.startsWith('diagnoses'))
    .flatMap(({ options = [] }) => options)
    .flatMap(({ value, label, reason }) => {
      const normal = normaliseIcd10(value);
      const title = label.replace(value, '').replace(/^ (?:for )?/, '');
      return normal === undefined ? [] : [{ code: normal, title, note: noteOf(reason) }];
    });
  return [...coded, ...mapped];
}

// The reason is the reference of a problem in the chart, or the name of the site's map.
function noteOf(reason: string | undefined): string {
  return reason === undefined || /^[A-Z]\w+\//.test(reason) ? search.inChart : reason;
}

function distinct(codes: readonly FoundCode[]): FoundCode[] {
  const first = new Map<string, FoundCode>();
  for (const one of codes) {
    const known = first.get(one.code);
    if (known === undefined) first.set(one.code, one);
    else if (known.title === '') first.set(one.code, { ...known, title: one.title });
  }
  return [...first.values()];
}
