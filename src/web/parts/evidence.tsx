import type { VNode } from 'preact';
import { systems } from '../../fhir/systems.ts';
import { dayText } from '../../fhir/time/day-text.ts';
import type { Evidence } from '../evidence.ts';
import { Breakable } from './breakable.tsx';
import { SourceLine } from './source.tsx';

/** Items of evidence by title and day; all that each says when opened. */
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
            <Content value={content} />
          </details>
          {withSources && provenance !== undefined && <SourceLine label={title} provenance={provenance} />}
        </li>
      ))}
    </ul>
  );
}

/** What an item says: names and values, lists, and texts as they were written. */
function Content({ value }: { readonly value: unknown }): VNode {
  if (Array.isArray(value)) return <List items={value} />;
  if (typeof value === 'object' && value !== null) {
    return (
      <dl>
        {Object.entries(value).map(([name, part]) => (
          <div key={name}>
            <dt>{words(name)}</dt>
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

/** `daysWithoutSupply` as `Days without supply`. */
function words(name: string): string {
  if (name === 'loinc') return 'LOINC';
  const text = name.replaceAll(/([A-Z])/g, (letter) => ` ${letter.toLowerCase()}`).replaceAll('_', ' ');
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

const systemNames: Readonly<Record<string, string>> = {
  [systems.icd10]: 'ICD-10-CM',
  [systems.icd10who]: 'ICD-10',
  [systems.icd9]: 'ICD-9-CM',
  [systems.sct]: 'SNOMED CT',
  [systems.loinc]: 'LOINC',
  [systems.rxnorm]: 'RxNorm',
  [systems.ndc]: 'NDC',
};

function said(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  const text = String(value);
  return systemNames[text] ?? (/^\d{4}-\d{2}-\d{2}(T[\d:.]+(Z|[+-]\d{2}:\d{2})?)?$/.test(text) ? dayText(text) : text);
}
