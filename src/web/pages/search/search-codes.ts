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
  /** Empty when unknown. */
  readonly title: string;
  /** Why it is offered before others: it is in the chart, or the practice used it before. */
  readonly note?: string;
}

export interface FoundCodes {
  readonly codes: readonly FoundCode[];
  /** The typed code is a category of the codes found. */
  readonly category?: Code;
  /** The file that was searched; absent when none is loaded. */
  readonly file?: CodeSet;
}

/** The loaded code file, and its rows for the codes of the request. */
export interface KnownCodes {
  readonly file?: CodeSet;
  readonly named: ReadonlyMap<string, Code>;
  /** The file is a part of one: what it lacks may be a right code. */
  readonly isPartial?: boolean | undefined;
}

/** The parts of a draft that are searched besides the file. */
interface Searched {
  readonly values: Leaves;
  readonly chart: Chart;
  readonly choices: readonly Gap[];
}

/** The parts of a draft that its codes are checked by. */
interface Judged {
  readonly values: Leaves;
  readonly provenance: ReadonlyMap<string, Provenance>;
  readonly codes: KnownCodes;
}

export const usedDiagnosis = 'diagnosis';

/** Diagnoses of requests for the drug of these values; undefined where they name none. */
export function usedForDrug(values: Leaves): string | undefined {
  const name = values.get('prescription.drug_name') ?? values.get('prescription.extra.drug_name');
  return typeof name === 'string' && name !== '' ? `${usedDiagnosis} for ${name.trim().toLowerCase()}` : undefined;
}

const atMost = 20;
/** How many of a practice's codes are searched; a practice has a few dozen. */
const mostUsed = 300;

/**
 * Codes that match the text: first those of the chart, then those that the practice used before, then those of the
 * loaded file. Without a text, the chart's codes and those that the practice used for this drug. Never a
 * category, and of the used ones none that a whole file lacks: an edition may have dropped it since.
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

/** The rows of the loaded file for the codes of a body. */
export async function knownCodes(
  deps: Pick<Deps, 'codes' | 'codesArePartial'>,
  codes: readonly string[],
): Promise<KnownCodes> {
  const { file, titles } = await titlesOf(deps, codes);
  return file === undefined ? { named: titles } : { file, named: titles, isPartial: deps.codesArePartial };
}

/**
 * Problems of the request's codes by the file: a category blocks if a person entered it and warns if it is from the
 * chart; a code that the file does not have warns.
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

/** Each diagnosis code of a body by its target. */
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

/** What is stored of a sent diagnosis: its code, and the code's display in the chart. */
export const UsedCode = z.object({ code: z.string(), title: z.string().optional() });

/**
 * The coded problems that selection offers for this order, and the codes that a site's map gives for an uncoded reason.
 */
function chartCodes({ chart, choices }: Searched): FoundCode[] {
  const candidates = chart.choice('diagnosis')?.candidates ?? [];
  const coded = candidates.flatMap(({ label, fits }) => {
    // Selection writes a usable candidate as `Plaque psoriasis (L40.0)`.
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

// The reason is the reference of a problem in the chart, or the site's map that gives the code.
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
