import { type ComponentChildren, createContext, type VNode } from 'preact';
import { useContext } from 'preact/hooks';
import { dateOrText } from '../../core/fhir/time/day-text.ts';
import { refusedIn } from '../../core/mapping/refused.ts';
import type { Gap, Look, Provenance, RefusedValue } from '../../core/mapping/result.ts';
import { gapText, lookText, notUsedText, originText, refusedText, resourceWords } from '../request/field-words.ts';
import { common } from './common-words.ts';
import { FactList, type NamedFact } from './facts.tsx';

/** true if the page shows paths, expressions and rules for IT support. */
export const Technical = createContext(true);

interface SourceLineProps {
  readonly label: string;
  readonly provenance: Provenance;
  /** The source as shown; by default `originText` of the provenance. */
  readonly origin?: ComponentChildren;
}

/** The source of a field's value in one line, with details when unfolded. */
export function SourceLine({ label, provenance, origin = originText(provenance) }: SourceLineProps): VNode {
  const { others, note } = provenance;
  const isTechnical = useContext(Technical);
  const rows: NamedFact[] = [];
  if (note !== undefined) rows.push(['Why', note]);
  if (others !== undefined && others > 0)
    rows.push(['Not taken', `${others} further ${others === 1 ? 'value' : 'values'}`]);
  if (rows.length === 0 && !isTechnical)
    return (
      <p class={`source source-${provenance.kind}`}>
        {origin}
        <span class="hidden"> (source of {label})</span>
      </p>
    );
  return (
    <details class={`source source-${provenance.kind}`}>
      <summary>
        {origin}
        <span class="hidden"> (source of {label})</span>
      </summary>
      {rows.length > 0 && <FactList rows={rows} />}
      {isTechnical && <p class="technical">{common.itSupport}</p>}
      {isTechnical && <FactList rows={technicalRows(provenance)} />}
    </details>
  );
}

function technicalRows({ source, expression, transform, rule }: Provenance): NamedFact[] {
  const rows: NamedFact[] = [];
  if (source !== undefined)
    rows.push(
      ['Resource', source.version === undefined ? source.resource : `${source.resource}, version ${source.version}`],
      ['Path', source.path],
    );
  if (transform !== undefined) rows.push(['Changed by', transform]);
  if (expression !== undefined) rows.push(['Expression', expression]);
  rows.push(['Rule', rule]);
  return rows;
}

/** The notes of a section for the fields that they are about. */
export interface FieldNotes {
  readonly ids: readonly string[];
  /** true if one of the notes blocks sending. */
  readonly blocks: boolean;
}

/** The gaps of a field or section, with the chart's related values. */
export function GapNote({ gap, id, label }: { readonly gap: Gap; readonly id: string; readonly label: string }): VNode {
  return (
    <div class={`gap ${gap.severity}${gap.reason === 'invalid' ? ' wrong' : ''}`}>
      <p id={id}>{gapText(gap)}</p>
      <ChartSays refused={refusedIn(gap.looks)} />
      {gap.looks.length > 0 && <Looks looks={gap.looks} label={label} />}
    </div>
  );
}

/**
 * Values of the chart that are not sent. They are shown beside the question, so that nobody has to search the chart.
 */
export function ChartSays({ refused }: { readonly refused: readonly RefusedValue[] }): VNode | null {
  const said = new Map(refused.flatMap(({ value, source }) => (value === undefined ? [] : [[value, source] as const])));
  const ruledOut = refused.filter(({ value, words }) => value === undefined && words !== undefined);
  if (said.size + ruledOut.length === 0) return null;
  return (
    <p class="beside">
      {[...said].slice(0, mostSaid).map(([value, source]) => (
        <span key={value}>
          The {source === undefined ? 'chart' : resourceWords(source.resource)} says <q>{dateOrText(value)}</q>.{' '}
        </span>
      ))}
      {ruledOut.slice(0, mostSaid).map((one, at) => (
        // The index is the key, because two values may give the same text.
        <span key={at}>{notUsedText(one)} </span>
      ))}
    </p>
  );
}

const mostSaid = 3;

function Looks({ looks, label }: { readonly looks: readonly Look[]; readonly label: string }): VNode | null {
  const isTechnical = useContext(Technical);
  const refused = refusedIn(looks);
  if (refused.length === 0) return isTechnical ? <Steps looks={looks} label={label} /> : null;
  return (
    <details class="looks">
      <summary>
        What we found in the chart<span class="hidden"> for {label}</span>
      </summary>
      <Found refused={refused} />
      {isTechnical && <Steps looks={looks} label={label} />}
    </details>
  );
}

function Found({ refused }: { readonly refused: readonly RefusedValue[] }): VNode {
  return (
    <>
      <p>Found, but not used:</p>
      <ul>
        {refused.map((one, at) => (
          // The index is the key, because two values may give the same text.
          <li key={at}>
            {one.value !== undefined && <q>{dateOrText(one.value)}</q>} {refusedText(one)}
          </li>
        ))}
      </ul>
    </>
  );
}

function Steps({ looks, label }: { readonly looks: readonly Look[]; readonly label: string }): VNode {
  return (
    <details class="looks">
      <summary>
        {common.itSupport}
        <span class="hidden">: {label}</span>
      </summary>
      <ul>
        {looks.map((look) => (
          <li key={look.expression}>
            {lookText(look)} <code>{look.expression}</code>
          </li>
        ))}
      </ul>
    </details>
  );
}
