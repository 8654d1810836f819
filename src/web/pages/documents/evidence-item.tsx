import type { VNode } from 'preact';
import { useContext } from 'preact/hooks';
import { z } from 'zod';
import { dayText } from '../../../core/fhir/time/day-text.ts';
import { recordsIn, withRecordWords } from '../../request/content-records.ts';
import { partsOf, said } from '../../request/content-words.ts';
import type { Evidence } from '../../request/evidence.ts';
import { Breakable } from '../../ui/breakable.tsx';
import { ItSupport } from '../../ui/it-support.tsx';
import { SourceLine, Technical } from '../../ui/source.tsx';

export function EvidenceItems({
  items,
  withSources,
}: {
  readonly items: readonly Evidence[];
  readonly withSources: boolean;
}): VNode {
  return (
    <ul class="evidence">
      {items.map(({ title, date, content, provenance }, index) => (
        <li key={`${index} ${title}`}>
          <details>
            <summary>
              {title}
              {date !== undefined && `, ${dayText(date)}`}
            </summary>
            <Content value={withRecordWords(content)} />
            <Records title={title} records={recordsIn(content)} />
          </details>
          {withSources && provenance !== undefined && <SourceLine label={title} provenance={provenance} />}
        </li>
      ))}
    </ul>
  );
}

function Records({ title, records }: { readonly title: string; readonly records: readonly string[] }): VNode | null {
  const isTechnical = useContext(Technical);
  if (!isTechnical || records.length === 0) return null;
  return (
    <ItSupport of={title}>
      <p>
        <code>{records.join(', ')}</code>
      </p>
    </ItSupport>
  );
}

/** The content of an item: names and values, lists, and original texts. */
export function Content({ value }: { readonly value: unknown }): VNode {
  if (Array.isArray(value)) return <List items={value} />;
  const code = codeText(value);
  if (code !== undefined) return <Content value={code} />;
  if (typeof value === 'object' && value !== null) {
    return (
      <dl>
        {partsOf(value).map(([name, part]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <Content value={part} />
            </dd>
          </div>
        ))}
      </dl>
    );
  }
  return (
    <span class="said">
      <Breakable text={said(value)} />
    </span>
  );
}

/**
 * `E11.65 Type 2 diabetes mellitus with hyperglycemia (ICD-10-CM)`; undefined for a value that is not a single code.
 */
function codeText(value: unknown): string | undefined {
  const coding = Coding.safeParse(value).data;
  if (coding === undefined) return undefined;
  const { system, code, display } = coding;
  const words = [code, display].filter((part) => part !== undefined).join(' ');
  return system === undefined ? words : `${words} (${said(system)})`;
}

const Coding = z.strictObject({ code: z.string(), system: z.string().optional(), display: z.string().optional() });

function List({ items }: { readonly items: readonly unknown[] }): VNode {
  if (items.every((item) => typeof item !== 'object')) return <Content value={items.map(said).join(', ')} />;
  return (
    <ol>
      {items.map((item) => (
        <li key={JSON.stringify(item)}>
          <Content value={item} />
        </li>
      ))}
    </ol>
  );
}
