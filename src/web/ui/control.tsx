import type { VNode } from 'preact';
import { type FieldSpec, stateOptions } from '../request/labels.ts';

interface ControlProps {
  readonly spec: FieldSpec;
  readonly id: string;
  readonly text: string;
  readonly required?: boolean;
  readonly invalid?: boolean;
  /** Ids of the messages about this input. */
  readonly describedBy?: string;
  /** The accessible name, if there is no label. */
  readonly label?: string;
}

/** The input of a field, by its type of value. */
export function Control({ spec, id, text, required = false, invalid, describedBy, label }: ControlProps): VNode {
  const common = {
    id,
    name: `f.${spec.target}`,
    ...stateOf({ required, invalid, describedBy }),
    ...(label === undefined ? {} : { 'aria-label': label }),
    autocomplete: 'off' as const,
  };
  if (spec.input === 'long')
    return (
      <textarea {...common} rows={2}>
        {text}
      </textarea>
    );
  if (spec.input === 'choice') return <Choice common={common} options={spec.options ?? []} text={text} />;
  if (spec.input === 'flag') return <Choice common={common} options={flags} text={text} />;
  if (spec.input === 'state') return <Choice common={common} options={spec.options ?? stateOptions} text={text} />;
  if (spec.input === 'date' || spec.input === 'day') return <input {...common} type="date" value={text} />;
  if (spec.input === 'tel') return <input {...common} type="tel" value={text} />;
  if (spec.input === 'email') return <input {...common} type="email" value={text} />;
  if (spec.suggestions !== undefined)
    return <Suggested common={common} id={id} suggestions={spec.suggestions} text={text} />;
  return (
    <input
      {...common}
      type="text"
      value={text}
      {...(spec.find === undefined ? {} : { 'data-find': spec.find })}
      {...keysOf(spec.input)}
    />
  );
}

interface FieldState {
  readonly required?: boolean | undefined;
  readonly invalid?: boolean | undefined;
  /** Ids of the messages about the field. */
  readonly describedBy?: string | undefined;
}

/**
 * The attributes by which a screen reader states a field's state. `aria-required` and not `required`, because a draft
 * may be saved with empty fields.
 */
export function stateOf({ required = false, invalid = false, describedBy = '' }: FieldState): object {
  return {
    ...(required ? { 'aria-required': 'true' } : {}),
    ...(invalid ? { 'aria-invalid': 'true' } : {}),
    ...(describedBy === '' ? {} : { 'aria-describedby': describedBy }),
  };
}

// The keyboard that a phone shows.
function keysOf(input: FieldSpec['input']): object {
  if (input === 'number') return { inputMode: 'decimal' };
  return ['whole', 'digits', 'zip'].includes(input) ? { inputMode: 'numeric' } : {};
}

const flags = [
  ['', 'Not set'],
  ['true', 'Yes'],
  ['false', 'No'],
] as const;

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
