import { engineerWords, refusedIn } from '../refused.ts';
import type { Gap, Look, MappingResult, Provenance, RefusedValue } from '../result.ts';
import { parseTarget, valueAt } from '../target.ts';

/**
 * One chart's result for a reader: each value with its source and rule, each gap with its lookups. Contains values of
 * the chart.
 */
export interface Explanation {
  readonly status: MappingResult<unknown>['status'];
  readonly values: readonly ExplainedValue[];
  readonly gaps: readonly ExplainedGap[];
}

export interface ExplainedValue extends Provenance {
  readonly value: unknown;
}

export interface ExplainedGap
  extends Pick<Gap, 'target' | 'severity' | 'reason' | 'why' | 'message' | 'looks' | 'options'> {
  /** The lookups as text: `Coverage (2) > class (3) > where(…) (0)`. */
  readonly looked: readonly string[];
}

export function explain(result: MappingResult<unknown>): Explanation {
  const body = result.status === 'complete' ? result.body : result.draft;
  return {
    status: result.status,
    values: result.provenance.map((entry) => ({ ...entry, value: valueAt(body, parseTarget(entry.target)) })),
    gaps: result.gaps.map(explainedGap),
  };
}

function explainedGap({ target, severity, reason, why, message, looks, options }: Gap): ExplainedGap {
  const known = why === undefined ? {} : { why };
  const gap = { target, severity, reason, ...known, message, looks, looked: looks.map(formatLook) };
  return options === undefined ? gap : { ...gap, options };
}

/** The summary of an order: its verdict, then one line for each gap, with its options. */
export function formatGaps({ status, gaps }: Explanation, title = plain): string {
  const blocking = gaps.filter((gap) => gap.severity === 'blocks');
  const warning = gaps.filter((gap) => gap.severity === 'warns');
  const lines = [
    status === 'complete'
      ? 'Ready.'
      : `Incomplete: ${blocking.length} ${blocking.length === 1 ? 'field needs' : 'fields need'} an answer.`,
    ...section(title('Needed before sending'), blocking.flatMap(gapLines)),
    ...section(title('Worth a look'), warning.flatMap(gapLines)),
  ];
  return `${lines.join('\n')}\n`;
}

/** The details: the lookups of each gap and what they found, then each value with its source. */
export function formatDetails({ values, gaps }: Explanation, title = plain): string {
  const lines = [
    ...section(title('Where each gap was looked for'), gaps.flatMap(lookLines)),
    ...section(title('Values'), values.flatMap(valueLines)),
  ];
  return `${lines.join('\n')}\n`;
}

function plain(text: string): string {
  return text;
}

/** `Coverage (2) > class (3) > where(…) (0)`, and why the values found were not used. */
export function formatLook(look: Look): string {
  const steps =
    look.steps.length === 0 ? look.expression : look.steps.map(({ step, items }) => `${step} (${items})`).join(' > ');
  const why = new Set((look.refused ?? []).map(engineerWords));
  return why.size === 0 ? steps : `${steps}: ${[...why].join('; ')}`;
}

function formatRefused(one: RefusedValue): string {
  const { value, source } = one;
  const what = value === undefined ? 'something' : JSON.stringify(value);
  const where = source === undefined ? '' : ` at ${source.resource} ${source.path}`;
  return `${what}${where}: ${engineerWords(one)}`;
}

/** The origin of a value, in one line: `Patient/1 Patient.name[0].family, version 3`. */
export function formatSource(entry: Provenance): string {
  const { source, kind } = entry;
  if (source === undefined)
    return kind === 'constant'
      ? 'written in the mapping'
      : kind === 'entered'
        ? 'entered by a person'
        : kind === 'site'
          ? 'the site’s configuration'
          : 'derived';
  const version = source.version === undefined ? '' : `, version ${source.version}`;
  return `${source.resource} ${source.path}${version}`;
}

function valueLines(entry: ExplainedValue): string[] {
  const how = [
    entry.expression,
    entry.transform === undefined ? undefined : `by ${entry.transform}`,
    `rule ${entry.rule}`,
  ]
    .filter((part) => part !== undefined)
    .join(', ');
  const more = [
    entry.kind === 'chart' ? undefined : entry.kind,
    entry.others === undefined ? undefined : `${entry.others} more found`,
    entry.note,
    entry.replaces === undefined ? undefined : `instead of ${JSON.stringify(entry.replaces)}`,
  ].filter((part) => part !== undefined);
  return [
    `  ${entry.target} = ${entry.value === undefined ? '(nothing)' : JSON.stringify(entry.value)}`,
    `      from ${formatSource(entry)}`,
    `      ${how}${more.length === 0 ? '' : ` (${more.join('; ')})`}`,
  ];
}

function gapLines(gap: ExplainedGap): string[] {
  const options = (gap.options ?? []).map(
    (option) =>
      `      choose ${option.value}: ${option.label}${option.reason === undefined ? '' : ` (${option.reason})`}`,
  );
  return [`  ${gap.target} (${gap.reason}): ${gap.message}`, ...options];
}

function lookLines({ target, looked, looks }: ExplainedGap): string[] {
  const lines = [
    ...looked.map((look) => `      looked at ${look}`),
    ...refusedIn(looks).map((one) => `      found ${formatRefused(one)}`),
  ];
  return lines.length === 0 ? [] : [`  ${target}`, ...lines];
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ['', title, ...lines];
}
