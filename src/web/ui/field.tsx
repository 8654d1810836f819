import type { VNode } from 'preact';
import { dateOrText } from '../../core/fhir/time/day-text.ts';
import type { Provenance } from '../../core/mapping/result.ts';
import { replacedText, sentence } from '../request/field-words.ts';
import { pickName, shown } from '../request/form.ts';
import { type FieldSpec, fieldId } from '../request/labels.ts';
import type { Likely } from '../request/likely.ts';
import { ChoiceField } from './choice-field.tsx';
import { common, likelyWords } from './common-words.ts';
import { Control } from './control.tsx';
import type { FieldProps } from './field-props.ts';
import { OriginOf } from './origin.tsx';
import { GapNote, SourceLine } from './source.tsx';

export function Field(props: FieldProps): VNode {
  return props.choices.length > 0 ? <ChoiceField {...props} /> : <OneField {...props} />;
}

function OneField({ spec, value, chartValue, provenance, gaps, likely = [], enteredBy }: FieldProps): VNode {
  const id = fieldId(spec.target);
  const text = shown(spec, value);
  const blocked = gaps.some((gap) => gap.severity === 'blocks');
  const notes = [...(spec.hint === undefined ? [] : [`${id}-hint`]), ...gaps.map((_, index) => `${id}-gap-${index}`)];
  return (
    <div class={['field', spec.wide ? 'wide' : '', blocked ? 'blocked' : ''].filter(Boolean).join(' ')}>
      <label for={id}>
        {spec.label}
        {spec.required && <span class="required"> {common.required}</span>}
      </label>
      {gaps.length > 0 && likely.length > 0 && <LikelyAnswers spec={spec} likely={likely} />}
      <Control
        spec={spec}
        id={id}
        text={text}
        required={spec.required === true}
        invalid={blocked}
        describedBy={notes.join(' ')}
      />
      <input type="hidden" name={`o.${spec.target}`} value={text} />
      {spec.hint !== undefined && (
        <p class="hint" id={`${id}-hint`}>
          {spec.hint}
        </p>
      )}
      {gaps.map((gap, index) => (
        <GapNote key={gap.message} gap={gap} id={`${id}-gap-${index}`} label={spec.label} />
      ))}
      {provenance !== undefined && text !== '' && (
        <SourceLine
          label={spec.label}
          provenance={provenance}
          origin={<OriginOf provenance={provenance} enteredBy={enteredBy} />}
        />
      )}
      {provenance?.kind === 'entered' && (
        <ChartBeside spec={spec} chartValue={chartValue} kind={provenance.replacedKind} />
      )}
    </div>
  );
}

function LikelyAnswers({ spec, likely }: { readonly spec: FieldSpec; readonly likely: readonly Likely[] }): VNode {
  return (
    <fieldset class="likely">
      <legend>
        {likelyWords}
        <span class="hidden"> for {spec.label}</span>
      </legend>
      {likely.map(({ value, label }) => (
        <button key={value} type="submit" name={pickName(spec.target)} value={value} class="secondary">
          {label}
        </button>
      ))}
    </fieldset>
  );
}

function ChartBeside({
  spec,
  chartValue,
  kind,
}: {
  readonly spec: FieldSpec;
  readonly chartValue: string | number | boolean | undefined;
  readonly kind: Provenance['replacedKind'];
}): VNode {
  const text = chartValue === undefined ? undefined : dateOrText(shown(spec, chartValue));
  const again = kind === undefined ? 'Use the chart’s value again' : 'Use this value again';
  return (
    <p class="beside">
      {text === undefined && 'Nothing was read from the chart here. '}
      {text !== undefined && kind === undefined && 'The chart says '}
      {text !== undefined && (kind === undefined ? <q>{text}</q> : sentence(replacedText(text, kind)))}{' '}
      <button type="submit" name="reset" value={spec.target} class="link">
        {text === undefined ? 'Clear my entry' : again}
        <span class="hidden"> for {spec.label}</span>
      </button>
    </p>
  );
}
