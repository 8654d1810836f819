import type { VNode } from 'preact';
import { plural } from '../../web/request/field-words.ts';
import type { PlaygroundAnswer } from './answer.ts';

export type MappingNames = Readonly<Record<string, readonly string[]>>;

interface AskProps {
  readonly answer: PlaygroundAnswer;
  readonly mappings: MappingNames;
  readonly token: string;
}

/** The form that selects the bundle, the mapping, the order and the day. */
export function AskForm({ answer, mappings, token }: AskProps): VNode {
  const { question, charts, orders } = answer;
  const fitting = orders.filter(({ fits }) => fits);
  const others = orders.filter(({ fits, order }) => !fits && order !== question.order);
  return (
    <form method="post" action="/playground" enctype="multipart/form-data" class="card ask" id="ask">
      <input type="hidden" name="token" value={token} />
      <input type="hidden" name="shown" value={question.chart} />
      <div class="ask-row">
        <label>
          Chart
          <select name="chart">
            <option value="" selected={question.chart === ''}>
              My own bundle
            </option>
            {charts.length > 0 && (
              <optgroup label="Mapping cases of the package">
                {charts.map((name) => (
                  <option key={name} value={name} selected={name === question.chart}>
                    {name}
                  </option>
                ))}
              </optgroup>
            )}
          </select>
        </label>
        <label>
          Mapping
          <select name="mapping">
            {Object.entries(mappings).map(([kind, names]) => (
              <optgroup key={kind} label={kind}>
                {names.map((name) => (
                  <option key={name} value={name} selected={name === question.mapping}>
                    {name}
                  </option>
                ))}
              </optgroup>
            ))}
          </select>
        </label>
        <label>
          Order
          <select name="order">
            {fitting.length === 0 && (
              <option value="">{orders.length === 0 ? 'No order yet' : 'No order that fits'}</option>
            )}
            {orders
              .filter(({ fits, order }) => fits || order === question.order)
              .map(({ order, label }) => (
                <option key={order} value={order} selected={order === question.order}>
                  {label} ({order.replace('MedicationRequest/', '')})
                </option>
              ))}
          </select>
        </label>
        <label>
          As of
          <input type="date" name="day" value={question.day} />
        </label>
        <button type="submit">Map</button>
      </div>
      <div class="ask-more">
        <details class="own" open={question.chart === '' && answer.mapped === undefined}>
          <summary>Bring your own bundle</summary>
          <div class="own-parts">
            <label class="paste">
              Paste a Bundle, a resource or a list of resources as FHIR R4 JSON
              <textarea name="text" rows={8} spellcheck={false} autocomplete="off" wrap="off">
                {question.text}
              </textarea>
            </label>
            <label>
              Or choose a file, up to 5 MB
              <input type="file" name="file" accept=".json,application/json,application/fhir+json" />
            </label>
          </div>
          <p class="hint">It is mapped and shown, and neither kept nor logged.</p>
        </details>
        {others.length > 0 && (
          <details class="others">
            <summary>{plural(others.length, 'order is', 'orders are')} not offered</summary>
            <ul>
              {others.map(({ order, label, reason }) => (
                <li key={order}>
                  {label} <code>{order}</code>: {reason}
                </li>
              ))}
            </ul>
          </details>
        )}
      </div>
    </form>
  );
}
