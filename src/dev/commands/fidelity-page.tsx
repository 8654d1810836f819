import type { VNode } from 'preact';
import { orderStates } from '../../batch/file-ledger.ts';
import { type FieldLabel, fieldLabels } from '../../cli/report/field-label.ts';
import { Card, markup, reportPage } from '../../cli/report/frame.tsx';
import { stateFills } from '../../cli/report/orders-table.tsx';
import { type Bar, Bars, Shares } from '../../cli/report/pictures.tsx';
import { stateWords } from '../../cli/report/words.ts';
import type { MappingKind } from '../../core/contract/kinds.ts';
import type { Fidelity, FieldFidelity } from '../kit/fidelity.ts';
import { fidelityWords } from './report-words.ts';

/** Yields one HTML page, in parts. It shows for each set of charts where the values of each field come from. */
export function* fidelityPage(sets: readonly Fidelity[], kind: MappingKind): Generator<string> {
  yield* reportPage({ title: fidelityWords.title }, partsOf(sets, fieldLabels(kind)));
}

function* partsOf(sets: readonly Fidelity[], label: FieldLabel): Generator<string> {
  yield markup(
    <>
      <h1>{fidelityWords.title}</h1>
      <p class="lead">{fidelityWords.lead(sets.length)}</p>
      <p class="small">{fidelityWords.holds}</p>
    </>,
  );
  for (const set of sets) yield markup(<SetPart set={set} label={label} />);
}

function SetPart({
  set: { name, orders, fields },
  label,
}: {
  readonly set: Fidelity;
  readonly label: FieldLabel;
}): VNode {
  const shares = orderStates.map((state) => ({
    label: stateWords[state],
    fill: stateFills[state],
    count: orders[state],
  }));
  const { from, resource, values, field, counts } = fidelityWords;
  return (
    <>
      <Card title={name}>
        <Shares title={fidelityWords.orders} shares={shares} />
      </Card>
      {fields.length > 0 && (
        <>
          <Card title={from}>
            <Bars heads={[resource, values]} bars={placeBars(fields)} />
          </Card>
          <Card title={fidelityWords.fields} lead={fidelityWords.fieldsLead}>
            <Bars heads={[field, counts]} bars={fields.map((one) => fieldBar(one, label))} isWhole />
          </Card>
        </>
      )}
    </>
  );
}

function placeBars(fields: readonly FieldFidelity[]): Bar[] {
  const places = new Map<string, number>();
  for (const { from } of fields)
    for (const [place, count] of Object.entries(from)) places.set(place, (places.get(place) ?? 0) + count);
  return [...places]
    .sort(([, one], [, other]) => other - one)
    .map(([label, count]) => ({ label, parts: [{ fill: 'good', count }], said: count.toLocaleString('en-US') }));
}

function fieldBar({ field, from, gaps }: FieldFidelity, label: FieldLabel): Bar {
  const [values, missing] = [total(from), total(gaps)];
  const parts = [
    { fill: 'good', count: values },
    { fill: 'act', count: missing },
  ] as const;
  return { label: label(field), code: field, parts, said: fidelityWords.said(values, missing) };
}

function total(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}
