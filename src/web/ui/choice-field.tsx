import type { VNode } from 'preact';
import { dateOrText } from '../../core/fhir/time/day-text.ts';
import { refusedIn } from '../../core/mapping/refused.ts';
import type { Option } from '../../core/mapping/result.ts';
import { optionsOf } from '../request/chosen.ts';
import { gapText, sentence } from '../request/field-words.ts';
import { pickName, shown } from '../request/form.ts';
import { type FieldSpec, fieldId } from '../request/labels.ts';
import { common } from './common-words.ts';
import { Control, stateOf } from './control.tsx';
import type { FieldProps } from './field-props.ts';
import { OriginOf } from './origin.tsx';
import { ChartSays, SourceLine } from './source.tsx';

/**
 * The field of a leaf for which the chart has several values: each value with its source, and an input for another
 * value.
 */
export function ChoiceField({ spec, value, provenance, gaps, choices, likely = [], enteredBy }: FieldProps): VNode {
  const id = fieldId(spec.target);
  const stated = optionsOf(choices);
  const options = [...stated, ...likely.filter(({ value }) => stated.every((one) => one.value !== value))];
  const text = shown(spec, value);
  const picked = pickedOf(text, options);
  const open = gaps.length > 0;
  const blocked = gaps.some(({ severity }) => severity === 'blocks');
  const said = open ? gaps.map((_, index) => `${id}-gap-${index}`).join(' ') : `${id}-asked`;
  const isClosed = spec.options !== undefined && spec.input !== 'state';
  return (
    <fieldset
      class={`field wide choice boxes readings${blocked ? ' blocked' : ''}`}
      // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: HTML allows it; a group has no state
      role="radiogroup"
      {...stateOf({ required: spec.required, invalid: blocked, describedBy: said })}
    >
      <legend id={id} tabIndex={-1}>
        {spec.question ?? spec.label}
        {spec.required && <span class="required"> {common.required}</span>}
      </legend>
      {gaps.map((gap, index) => (
        <div key={gap.message} class={`gap ${gap.severity}${gap.reason === 'invalid' ? ' wrong' : ''}`}>
          <p id={`${id}-gap-${index}`}>{gapText(gap)}</p>
          <ChartSays refused={refusedIn(gap.looks)} />
        </div>
      ))}
      {!open && (
        <p class="hint" id={`${id}-asked`}>
          {choices.map(({ message }) => message).join(' ')}
        </p>
      )}
      <input type="hidden" name={`o.${pickName(spec.target)}`} value={picked ?? ''} />
      {options.map((option, index) => (
        <Reading
          key={option.value}
          id={`${id}-option-${index}`}
          spec={spec}
          option={option}
          picked={option.value === picked}
        />
      ))}
      {!isClosed && <Other spec={spec} id={id} text={picked === undefined ? text : ''} describedBy={said} />}
      {provenance?.kind === 'entered' && (
        <SourceLine
          label={spec.label}
          provenance={provenance}
          origin={<OriginOf provenance={provenance} enteredBy={enteredBy} />}
        />
      )}
      {provenance?.kind === 'entered' && (
        <p class="beside">
          <button type="submit" name="reset" value={spec.target} class="link">
            Clear my answer<span class="hidden"> for {spec.label}</span>
          </button>
        </p>
      )}
    </fieldset>
  );
}

function Reading({
  id,
  spec,
  option: { value, label, reason },
  picked,
}: {
  readonly id: string;
  readonly spec: FieldSpec;
  readonly option: Option;
  readonly picked: boolean;
}): VNode {
  return (
    <label class="option">
      <input id={id} type="radio" name={pickName(spec.target)} value={value} checked={picked} />
      <span>
        <strong>{dateOrText(label)}</strong>
        {reason !== undefined && <span class="reason">{sentence(reason)}</span>}
      </span>
    </label>
  );
}

function Other({
  spec,
  id,
  text,
  describedBy,
}: {
  readonly spec: FieldSpec;
  readonly id: string;
  readonly text: string;
  readonly describedBy: string;
}): VNode {
  return (
    <div class="option other">
      <label class="option">
        <input id={`${id}-own`} type="radio" name={pickName(spec.target)} value="" checked={text !== ''} />
        <strong>Other</strong>
      </label>
      <div class="own">
        <Control
          spec={spec}
          id={`${id}-other`}
          text={text}
          describedBy={describedBy}
          label={`Other ${spec.label.toLowerCase()}`}
        />
        <input type="hidden" name={`o.${spec.target}`} value={text} />
        {spec.hint !== undefined && <p class="hint">{spec.hint}</p>}
      </div>
    </div>
  );
}

function pickedOf(text: string, options: readonly Option[]): string | undefined {
  return text === '' ? undefined : options.find(({ value }) => value === text)?.value;
}
