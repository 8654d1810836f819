import { createHash } from 'node:crypto';
import type { ComponentChildren, VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { visibleText } from '../../core/fhir/text/text.ts';
import { filterScript } from './filter.ts';
import { Patterns } from './pictures.tsx';
import { reportStyle } from './style.ts';
import { frameWords } from './words.ts';

/** Renders a part of a report as HTML, without invisible characters. */
export function markup(part: VNode): string {
  return visibleText(renderToString(part));
}

/**
 * Yields a self-contained HTML page in parts; its Content-Security-Policy allows no other file. With `filters`, it has
 * the script that filters the table of orders.
 */
export function* reportPage(
  { title, filters = false }: { readonly title: string; readonly filters?: boolean },
  parts: Iterable<string>,
): Generator<string> {
  const head = (
    <head>
      <meta charset="utf-8" />
      <meta http-equiv="Content-Security-Policy" content={policy} />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      <title>{`${title} · ${frameWords.product}`}</title>
      {/* a constant without tags */}
      <style dangerouslySetInnerHTML={{ __html: reportStyle }} />
    </head>
  );
  yield `<!doctype html>\n<html lang="en">${markup(head)}<body>${markup(<Top />)}<main>\n`;
  yield* parts;
  yield `</main>${filters ? `<script>${filterScript}</script>` : ''}</body></html>\n`;
}

function digest(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}

// With this policy, the browser loads nothing from another address.
const policy = `default-src 'none'; style-src ${digest(reportStyle)}; script-src ${digest(filterScript)}`;

function Top(): VNode {
  return (
    <header>
      <Patterns />
      <p>
        <svg viewBox="0 0 32 32" aria-hidden="true">
          <path d="M5 21h22M8 21v-4a8 8 0 0 1 16 0v4" fill="none" stroke="currentColor" stroke-width="3" />
        </svg>
        {frameWords.product}
      </p>
    </header>
  );
}

export function Card({
  title,
  lead,
  children,
}: {
  readonly title: string;
  readonly lead?: string;
  readonly children: ComponentChildren;
}): VNode {
  return (
    <section class="card">
      <h2>{title}</h2>
      {lead !== undefined && <p class="small">{lead}</p>}
      {children}
    </section>
  );
}
