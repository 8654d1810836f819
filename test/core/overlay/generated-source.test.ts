import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { mappings } from '../../../mappings/index.ts';
import { readSiteOverlay } from '../../../src/config/load-overlays.ts';
import { baseNames } from '../../../src/core/contract/kinds.ts';
import { readBundle } from '../../../src/core/fhir/bundle.ts';
import { indexChart } from '../../../src/core/fhir/references/graph.ts';
import { runMapping } from '../../../src/core/mapping/run/run.ts';
import { ordersIn } from '../../../src/core/roles/select.ts';
import { benchBundles } from '../../bench/bundles.ts';

const folder = mkdtempSync(join(tmpdir(), 'generated-source-'));
afterAll(() => rmSync(folder, { recursive: true }));
afterEach(() => vi.unstubAllGlobals());

// What would end a text, a line or a template of a source, and what would then run.
// biome-ignore lint/suspicious/noTemplateCurlyInString: the text is what a site could write to break a source
const hostile = ['\'"`', '\n\r\u2028', '${globalThis.ran = true}', '\\', '*/', '); globalThis.ran = true; ('];

/** The texts of all functions that are made of source text from now on. */
function watched(): readonly string[] {
  const sources: string[] = [];
  const made = new Proxy(Function, {
    construct: (target, texts: string[]) => {
      sources.push(...texts);
      return new target(...texts);
    },
  });
  vi.stubGlobal('Function', made);
  return sources;
}

function literal(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}

/** An overlay with the text wherever a site may write one. */
function overlayOf(text: string): object {
  const isIt = `coding.exists(code = ${literal(text)})`;
  const words = text.replaceAll('{', '(').replaceAll('}', ')'); // in braces stands a path
  const ofText = `%coverage.class.where(type.${isIt}).value`;
  return {
    name: 'site',
    'prior-auth': {
      insurance_content: {
        rx_bin: { from: [ofText, '%rxBin.value'] },
      },
      provider: { internal_id: { omit: text } },
    },
    tables: { 'dose form': { tablet: [text] } },
    roles: {
      coverage: {
        prefer: [{ when: `type.${isIt}`, text: words }],
        unless: [{ when: `class.exists(type.${isIt})`, text: words }],
        asks: [{ when: `type.${isIt}`, message: words }],
      },
    },
  };
}

function overlayWith(text: string) {
  const file = join(folder, 'site.json');
  writeFileSync(file, JSON.stringify(overlayOf(text)));
  return readSiteOverlay(file, mappings, baseNames);
}

const [bundle] = benchBundles({ size: 4096, count: 1 });

describe('what a site writes is data of the functions that are generated', () => {
  it.each(hostile)('the text %j in its overlay and its settings', (plant) => {
    const text = `planted ${plant} planted`;
    const sources = watched();
    const read = overlayWith(text);
    if ('problems' in read) throw new Error(read.problems.join('\n'));
    const site = { country: text, mrnSystem: text, fax: text, diagnoses: 'ask' } as const;
    const { entries } = readBundle(JSON.parse(bundle?.bytes.toString() ?? ''));
    const orders = ordersIn(indexChart(entries), { roles: read.roles, now: new Date('2026-11-21T15:00:00Z'), site });
    expect(orders.map(({ chart }) => runMapping(read['prior-auth'], chart).status)).not.toEqual([]);
    expect(sources.length).toBeGreaterThan(0);
    expect(sources.filter((source) => source.includes('planted'))).toEqual([]);
    expect(Reflect.get(globalThis, 'ran')).toBeUndefined();
  });
});
