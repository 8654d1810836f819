import type { VNode } from 'preact';
import type { Gap, Provenance } from '../../mapping/result.ts';
import { shown } from '../form.ts';
import { type FieldSpec, fieldId } from '../labels.ts';
import { GapNote, SourceLine } from './source.tsx';

export interface FieldProps {
  readonly spec: FieldSpec;
  readonly value: string | number | boolean | undefined;
  /** What the chart alone gives. */
  readonly chartValue: string | number | boolean | undefined;
  readonly provenance: Provenance | undefined;
  readonly gaps: readonly Gap[];
}

/** One leaf of the request: its value to be read or changed, where it came from, and what is wrong with it. */
export function Field({ spec, value, chartValue, provenance, gaps }: FieldProps): VNode {
  const id = fieldId(spec.target);
  const text = shown(spec, value);
  const blocked = gaps.some((gap) => gap.severity === 'blocks');
  const notes = [...(spec.hint === undefined ? [] : [`${id}-hint`]), ...gaps.map((_, index) => `${id}-gap-${index}`)];
  return (
    <div class={['field', spec.wide ? 'wide' : '', blocked ? 'blocked' : ''].filter(Boolean).join(' ')}>
      <label for={id}>
        {spec.label}
        {spec.required && <span class="required"> (required)</span>}
      </label>
      <Control spec={spec} id={id} text={text} invalid={blocked} describedBy={notes.join(' ')} />
      <input type="hidden" name={`o.${spec.target}`} value={text} />
      {spec.hint !== undefined && (
        <p class="hint" id={`${id}-hint`}>
          {spec.hint}
        </p>
      )}
      {gaps.map((gap, index) => (
        <GapNote key={gap.message} gap={gap} id={`${id}-gap-${index}`} label={spec.label} />
      ))}
      {provenance !== undefined && text !== '' && <SourceLine label={spec.label} provenance={provenance} />}
      {provenance?.kind === 'entered' && <ChartBeside spec={spec} chartValue={chartValue} />}
    </div>
  );
}

function Control({
  spec,
  id,
  text,
  invalid,
  describedBy,
}: {
  spec: FieldSpec;
  id: string;
  text: string;
  invalid: boolean;
  describedBy: string;
}): VNode {
  const common = {
    id,
    name: `f.${spec.target}`,
    ...(invalid ? { 'aria-invalid': 'true' as const } : {}),
    ...(describedBy === '' ? {} : { 'aria-describedby': describedBy }),
    autocomplete: 'off' as const,
  };
  if (spec.input === 'long')
    return (
      <textarea {...common} rows={2}>
        {text}
      </textarea>
    );
  if (spec.input === 'choice') return <Choice common={common} options={spec.options ?? []} text={text} />;
  if (spec.input === 'date' || spec.input === 'day') return <input {...common} type="date" value={text} />;
  if (spec.input === 'tel') return <input {...common} type="tel" value={text} />;
  if (spec.input === 'email') return <input {...common} type="email" value={text} />;
  if (spec.suggestions !== undefined)
    return <Suggested common={common} id={id} suggestions={spec.suggestions} text={text} />;
  return (
    <input {...common} type="text" value={text} {...(spec.input === 'text' ? {} : { inputMode: 'decimal' as const })} />
  );
}

function Suggested({
  common,
  id,
  suggestions,
  text,
}: {
  common: object;
  id: string;
  suggestions: readonly string[];
  text: string;
}): VNode {
  return (
    <>
      <input {...common} type="text" value={text} list={`${id}-list`} />
      <datalist id={`${id}-list`}>
        {suggestions.map((value) => (
          <option key={value} value={value} />
        ))}
      </datalist>
    </>
  );
}

function Choice({
  common,
  options,
  text,
}: {
  common: object;
  options: readonly (readonly [string, string])[];
  text: string;
}): VNode {
  const known = options.some(([value]) => value === text);
  return (
    <select {...common}>
      {!known && <option value={text}>{text === '' ? 'Choose…' : text}</option>}
      {options.map(([value, label]) => (
        <option key={value} value={value} selected={value === text}>
          {label}
        </option>
      ))}
    </select>
  );
}

function ChartBeside({
  spec,
  chartValue,
}: {
  readonly spec: FieldSpec;
  readonly chartValue: string | number | boolean | undefined;
}): VNode {
  return (
    <p class="beside">
      {chartValue === undefined ? 'The chart has no value here. ' : 'The chart says '}
      {chartValue !== undefined && <q>{shown(spec, chartValue)}</q>}{' '}
      <button type="submit" name="reset" value={spec.target} class="link">
        {chartValue === undefined ? 'Take my entry back' : 'Use the chart’s value again'}
        <span class="hidden"> for {spec.label}</span>
      </button>
    </p>
  );
}
