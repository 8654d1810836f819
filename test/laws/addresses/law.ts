import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Fixture, listFixtures, loadFixture } from '../../../src/dev/kit/fixture.ts';
import { random } from '../generator.ts';
import type { Broken, LongLaw } from '../long-law.ts';
import { one } from '../privacy/facts.ts';
import { type Told, tellFolder } from '../product.ts';
import { type Files, type Form, forms, isAddressable, mixedForms, type Source, sourceOf, strangers } from './forms.ts';
import { canary, spellingsOfServer } from './spelling.ts';

interface Case {
  readonly fixture: Fixture;
  readonly source: Source;
  readonly forms: readonly Form[];
}

/**
 * Every mapping case as a CDS Hooks request, as a folder of saved reads and searches and as NDJSON, with relative,
 * absolute and mixed references of one server and in any order, gives what its Bundle gives; beside another server's
 * resources of the same ids too.
 */
export const addressesLaw: LongLaw = {
  usual: 10_000,
  async run({ count, seed }) {
    const next = random(seed);
    const folder = await mkdtemp(join(tmpdir(), 'addresses-law-'));
    const expected = new Map<string, readonly Told[]>();
    const broken: Broken[] = [];
    try {
      for (const { fixture, source, form } of drawn(loadCases(), count, next)) {
        const key = `${fixture.name} ${form.plain.name}`;
        const plain = expected.get(key) ?? (await tell(form.plain(source), fixture, folder));
        expected.set(key, plain);
        const told = await tell(form.made(source, next), fixture, folder);
        broken.push(...judge({ plain, told, form, fixture, source }));
      }
    } finally {
      await rm(folder, { recursive: true });
    }
    return { charts: count, broken };
  },
};

/** So many charts: cases at random, each in all its forms. */
function* drawn(cases: readonly Case[], count: number, next: (limit: number) => number) {
  for (let charts = 0; charts < count; ) {
    const { forms, ...drawn } = one(cases, next);
    for (const form of forms.slice(0, count - charts)) yield { ...drawn, form };
    charts += forms.length;
  }
}

function loadCases(): Case[] {
  const all = listFixtures(join(import.meta.dirname, '..', '..', '..', 'fixtures', 'charts')).map(loadFixture);
  return all.flatMap((fixture) => {
    const source = sourceOf(fixture.entries);
    if (source === undefined) return [];
    return { fixture, source, forms: isAddressable(source) ? [...forms, ...mixedForms] : forms };
  });
}

async function tell(files: Files, fixture: Fixture, within: string): Promise<readonly Told[]> {
  const folder = await mkdtemp(join(within, 'chart-'));
  try {
    for (const [name, content] of Object.entries(files))
      await writeFile(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content));
    return await tellFolder(folder, fixture);
  } finally {
    await rm(folder, { recursive: true });
  }
}

interface Compared {
  readonly plain: readonly Told[];
  readonly told: readonly Told[];
  readonly form: Form;
  readonly fixture: Fixture;
  readonly source: Source;
}

function* judge({ plain, told, form, fixture, source }: Compared): Generator<Broken> {
  const own = told.filter(({ place }) => !place.includes(strangers));
  const [expected, found] = [textOf(plain, source), textOf(own, source)];
  const example = `${fixture.name}: ${differenceOf(expected, found)}`;
  if (found.includes(canary)) yield { kind: `${form.name}: mixed`, example };
  else if (found !== expected) yield { kind: `${form.name}: not the same`, example };
}

// A warning names a reference as it is written.
function textOf(told: readonly Told[], { base }: Source): string {
  const lines = told.map(({ order, outcome }) => `${order} ${outcome}`);
  return spellingsOfServer(base).reduce((text, server) => text.replaceAll(`${server}/`, ''), lines.sort().join('\n'));
}

/** Where they begin to differ. */
function differenceOf(expected: string, found: string): string {
  const at = [...expected].findIndex((letter, index) => letter !== found[index]);
  const around = (text: string) => text.slice(Math.max(0, (at < 0 ? expected.length : at) - 120), at + 200);
  return `${around(expected)} became ${around(found)}`;
}
