import { loadBases } from '../bases.ts';
import { random } from '../generator.ts';
import type { Broken, Extent, Finding, LongLaw } from '../long-law.ts';
import { readingsOf } from '../product.ts';
import { type Decoration, decorations } from './decorations.ts';
import { mayAsk, type Verdict, verdictOf } from './judge.ts';
import { known } from './known.ts';
import { loadProducts, type Product } from './products.ts';
import { printed, type Spelling, typed } from './spellings.ts';

/**
 * A drug is understood however it is spelled: by RxNorm's name, by that name beside a drug file's or a person's
 * spelling, and by the spelling alone. In a complete chart nothing is asked, and name, strength, form and route are the
 * product's. With a decoration around the spelling what is sent is still the drug, or it is asked; an order whose text
 * says that it is not to be filled is never sent unasked.
 */
export const drugLaw: LongLaw = { usual: 30_000, run: runDrugs };

const baseName = 'everything-in-the-chart-is-complete';

/** One way to name a product. */
interface Way {
  readonly spelling: Spelling | undefined;
  readonly isCoded: boolean;
  readonly place: 'text' | 'display';
  readonly decoration: Decoration | undefined;
  readonly hasRoute: boolean;
}

async function runDrugs(extent: Extent): Promise<Finding> {
  const found = loadBases().find(({ name }) => name === baseName);
  if (found === undefined) throw new Error(`no base ${baseName}`);
  const base = { ...found, readings: await readingsOf(found.open().entries) };
  const broken: Broken[] = [];
  let charts = 0;
  for (const { product, way, words } of namings(loadProducts(), extent)) {
    charts += 1;
    const text = words === undefined ? undefined : (way.decoration?.write(words) ?? words);
    const hasRoute = way.hasRoute || !saysRoute(product, way, words);
    broken.push(...judged(product, way, text, verdictOf(base, product, { ...way, text, words, hasRoute })));
  }
  return { charts, broken: broken.filter(({ example }) => !known.some(({ of }) => of.test(example))) };
}

interface Naming {
  readonly product: Product;
  readonly way: Way;
  readonly words: string | undefined;
}

/**
 * Every product in every way without a decoration, when so many are wanted; the rest in turn, in ways drawn by chance.
 */
function* namings(products: readonly Product[], { count, seed }: Extent): Generator<Naming> {
  const plain = products.flatMap((product) => plainWays.flatMap((way) => namingOf(product, way) ?? []));
  const isWhole = count >= plain.length;
  if (isWhole) yield* plain;
  const next = random(seed);
  // a product may have no spelling at all, so the next attempt is of the next product
  for (let [made, turn] = [isWhole ? plain.length : 0, 0]; made < count; turn += 1) {
    const naming = namingOf(products[turn % products.length]!, drawnWay(next, isWhole));
    if (naming === undefined) continue;
    made += 1;
    yield naming;
  }
}

function namingOf(product: Product, way: Way): Naming | undefined {
  const words = way.spelling?.write(product);
  return way.spelling !== undefined && words === undefined ? undefined : { product, way, words };
}

const spellings = [...printed, ...typed];
const coded: Way = { spelling: undefined, isCoded: true, place: 'text', decoration: undefined, hasRoute: true };

const plainWays: readonly Way[] = [
  coded,
  { ...coded, hasRoute: false },
  ...spellings.flatMap((spelling): Way[] => [
    { ...coded, spelling },
    { ...coded, spelling, isCoded: false },
    { ...coded, spelling, isCoded: false, place: 'display' },
    { ...coded, spelling, isCoded: false, hasRoute: false },
  ]),
];

function drawnWay(next: (limit: number) => number, isDecorated: boolean): Way {
  if (!isDecorated && next(10) === 0) return { ...coded, hasRoute: next(2) === 0 };
  return {
    spelling: spellings[next(spellings.length)],
    isCoded: next(2) === 0,
    place: next(3) === 0 ? 'display' : 'text',
    decoration: isDecorated || next(2) === 0 ? decorations[next(decorations.length)] : undefined,
    hasRoute: next(3) > 0,
  };
}

// RxNorm's dose form, or the printed words of one; nobody knows where typed "tabs" go.
function saysRoute({ parsed, routes }: Product, { isCoded, spelling }: Way, words: string | undefined): boolean {
  const isOfForm = /Oral|Topical|Ophthalmic|Otic|Rectal|Vaginal|Nasal|Sublingual|Buccal|Transdermal|Inhal/.test(
    parsed.doseForm,
  );
  // what is put into the mouth may stay on the gums
  if (parsed.isMixed || !isOfForm || /Mucous|Lozenge|Oral (Gel|Paste|Ointment)/.test(parsed.doseForm)) return false;
  if (isCoded) return true;
  const isPrinted = spelling !== undefined && printed.includes(spelling);
  return isPrinted && routes.some((route) => new RegExp(said[route] ?? route, 'i').test(words ?? ''));
}

const said: Readonly<Record<string, string>> = {
  topical: '\\b(topical|external)\\b',
  ophthalmic: '\\b(eye|ophthalmic)\\b',
  otic: '\\b(ear|otic)\\b',
  inhalation: '\\b(inhal|nebul)',
};

function judged(product: Product, way: Way, text: string | undefined, verdict: Verdict): Broken[] {
  const where = way.place === 'display' ? ' in the display of an own code' : '';
  const example = `${product.name} as ${way.isCoded ? 'RxNorm beside ' : ''}"${text ?? ''}"${where}`;
  const beside = way.isCoded ? 'RxNorm and' : 'only';
  const how = way.spelling === undefined ? 'RxNorm only' : `${beside} ${way.spelling.name}`;
  const { decoration } = way;
  const about = decoration?.name ?? `${how}, ${product.parsed.doseForm}`;
  const wrong = verdict.wrong.map((leaf) => ({
    kind: `WRONG ${leaf.split(' ')[0]}: ${about}`,
    example: `${example}: ${leaf}`,
  }));
  if (decoration?.kind === 'state' && verdict.asked.length === 0)
    return [...wrong, { kind: `SENT though its text says ${decoration.name}`, example }];
  if (decoration !== undefined) return wrong;
  const asked = verdict.asked.filter((leaf) => !mayAsk(product).includes(leaf));
  return [...wrong, ...asked.map((leaf) => ({ kind: `ASKED ${leaf}: ${how}, ${product.parsed.doseForm}`, example }))];
}
