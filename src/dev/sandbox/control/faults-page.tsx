import type { ComponentChildren, VNode } from 'preact';
import type { Preset } from './presets.ts';
import type { GivenOrder, Switch, SwitchTable } from './switches.ts';

/** An order that a person entered, and why it is not valid. */
export interface Tried {
  readonly switch: string;
  readonly value: string;
  readonly path: string;
  readonly method: string;
  readonly times: string;
  readonly forSeconds: string;
  readonly problems: readonly string[];
}

interface FaultsProps {
  readonly table: SwitchTable;
  readonly standing: readonly GivenOrder[];
  readonly presets: readonly Preset[];
  readonly examplePath: string;
  readonly tried?: Tried | undefined;
}

/** The faults of a sandbox: first the active faults, then every fault with its effect and a form to turn it on. */
export function FaultsPage({ table, standing, presets, examplePath, tried }: FaultsProps): VNode {
  return (
    <>
      <h1>Faults</h1>
      <p class="lead">
        Turn on what goes wrong, and see what the app does about it. A fault of the long list stays on until you turn it
        off, until its limit is reached, or until the sandbox ends.
      </p>
      {tried !== undefined && (
        <div class="notice bad" role="alert">
          <h2>{tried.switch === '' ? 'Nothing' : tried.switch} was not turned on</h2>
          <ul>
            {tried.problems.map((problem) => (
              <li key={problem}>{problem}</li>
            ))}
          </ul>
        </div>
      )}
      <Presets presets={presets} />
      <On standing={standing} />
      <h2>Every fault</h2>
      {Object.entries(table).map(([name, definition]) => (
        <Fault
          key={name}
          name={name}
          definition={definition}
          examplePath={examplePath}
          tried={tried?.switch === name ? tried : undefined}
        />
      ))}
    </>
  );
}

function Presets({ presets }: { readonly presets: readonly Preset[] }): VNode | null {
  if (presets.length === 0) return null;
  return (
    <section class="card" aria-labelledby="presets">
      <h2 id="presets">One click, and it ends by itself</h2>
      <ul class="lines presets">
        {presets.map(({ id, title, watch }) => (
          <li class="line" key={id}>
            <div class="value">
              <strong>{title}</strong>
              <p class="quiet-text">{watch}</p>
            </div>
            <form method="post" action="/sandbox/faults/preset">
              <input type="hidden" name="preset" value={id} />
              <button type="submit">
                Start<span class="hidden">: {title}</span>
              </button>
            </form>
          </li>
        ))}
      </ul>
    </section>
  );
}

function On({ standing }: { readonly standing: readonly GivenOrder[] }): VNode {
  return (
    <section class="card" aria-labelledby="on">
      <h2 id="on">On now</h2>
      {standing.length === 0 && <p class="quiet-text">Nothing. Everything works as it should.</p>}
      <ul class="lines">
        {standing.map(({ id, switch: name, value, limits, used, over }) => (
          <li class="line" key={id}>
            <strong class="name">{name}</strong>
            <div class="value">
              <code>{JSON.stringify(value)}</code> {limitsText(limits)}
              <p class="quiet-text">
                {used === 1 ? 'Happened once.' : `Happened ${used} times.`} {over ? 'Its limit is reached.' : ''}
              </p>
            </div>
            <form method="post" action="/sandbox/faults/off">
              <input type="hidden" name="id" value={id} />
              <button type="submit" class="secondary">
                Turn off<span class="hidden"> {name}</span>
              </button>
            </form>
          </li>
        ))}
      </ul>
      {standing.length > 1 && (
        <form method="post" action="/sandbox/faults/off" class="actions">
          <button type="submit" class="secondary">
            Turn all off
          </button>
        </form>
      )}
    </section>
  );
}

function limitsText(limits: Readonly<Record<string, unknown>>): string {
  return Object.entries(limits)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name} ${String(value)}`)
    .join(', ');
}

interface FaultProps {
  readonly name: string;
  readonly definition: Switch<unknown>;
  readonly examplePath: string;
  readonly tried: Tried | undefined;
}

function Fault({ name, definition, examplePath, tried }: FaultProps): VNode {
  const { meaning, values, off, example, of } = definition;
  const id = `fault-${name}`;
  return (
    <section class="card fault" aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>{name}</h2>
      <p>{marked(meaning)}</p>
      <p class="quiet-text">While it is off: {marked(off)}.</p>
      <form method="post" action="/sandbox/faults">
        <input type="hidden" name="switch" value={name} />
        <div class="fault-value">
          <label for={`${id}-value`}>Value</label>
          <input
            id={`${id}-value`}
            name="value"
            value={tried?.value ?? JSON.stringify(example)}
            aria-describedby={`${id}-values`}
            autocomplete="off"
          />
          <p class="hint" id={`${id}-values`}>
            {marked(values)}
          </p>
        </div>
        <details open={tried !== undefined}>
          <summary>Only sometimes</summary>
          <div class="fault-limits">
            {of === 'request' && (
              <Field id={`${id}-path`} name="path" label="Path" value={tried?.path} placeholder={examplePath} />
            )}
            {of === 'request' && (
              <Field id={`${id}-method`} name="method" label="Method" value={tried?.method} placeholder="POST" />
            )}
            <Field id={`${id}-times`} name="times" label="Times" value={tried?.times} placeholder="3" />
            <Field id={`${id}-for`} name="forSeconds" label="For seconds" value={tried?.forSeconds} placeholder="60" />
          </div>
        </details>
        <div class="actions">
          <button type="submit">
            Turn on<span class="hidden"> {name}</span>
          </button>
        </div>
      </form>
    </section>
  );
}

function Field(props: {
  readonly id: string;
  readonly name: string;
  readonly label: string;
  readonly value: string | undefined;
  readonly placeholder: string;
}): VNode {
  const { id, name, label, value = '', placeholder } = props;
  return (
    <div>
      <label for={id}>{label}</label>
      <input id={id} name={name} value={value} placeholder={placeholder} autocomplete="off" />
    </div>
  );
}

/** Renders a text of the table, with backquoted parts as code. */
function marked(text: string): ComponentChildren {
  return text.split('`').map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part));
}
