import { readSig } from '../drug/dosage/read-sig.ts';
import type { DrugKnowledge } from '../drug/drug-knowledge.ts';
import { readDrugName } from '../drug/read-drug-name.ts';
import type { DrugReading } from '../drug/reading.ts';
import { takeRelease } from '../drug/release.ts';
import { Cited } from '../evidence/cite.ts';
import type { TherapyEntry } from '../evidence/therapy-entries.ts';
import type { Around } from './around.ts';
import { directionsIn, doseGiven, isFilledFrom } from './history.ts';
import { isBrand, saidIn } from './ingredients.ts';

/**
 * The entries that show which products were taken: fills and doses, with the orders of the fills if no product states a
 * strength. Without fills and doses, the statements if one has a strength; otherwise all entries.
 */
export function takenEntries(
  entries: readonly TherapyEntry[],
  { chart }: Pick<Around, 'chart'>,
): readonly TherapyEntry[] {
  const supplied = entries.filter(({ kind }) => kind === 'dispense' || kind === 'administration');
  if (supplied.some(hasStrength)) return supplied;
  if (supplied.length > 0)
    return entries.filter((one) => supplied.includes(one) || supplied.some((fill) => isFilledFrom(fill, one, chart)));
  const statements = entries.filter(({ kind }) => kind === 'statement');
  return statements.some(hasStrength) ? statements : entries;
}

function hasStrength(entry: TherapyEntry): boolean {
  return amountsOf(entry) !== '';
}

/** True also when one of the products states no strength. */
export function isSameStrength(one: Pick<TherapyEntry, 'drug'>, other: Pick<TherapyEntry, 'drug'>): boolean {
  const [left, right] = [amountsOf(one), amountsOf(other)];
  return left === '' || right === '' || left === right;
}

/** Whether the amounts differ and exactly one of the strengths is per volume, such as 10 MG/ML and 40 mg. */
export function areMeasuredOtherwise(one: Pick<TherapyEntry, 'drug'>, other: Pick<TherapyEntry, 'drug'>): boolean {
  const [left, right] = [one, other].map(({ drug }) =>
    /\/ ?[\d.]* ?ml\b/i.test(saidIn(drug, ({ strength }) => strength)?.value ?? ''),
  );
  return left !== right && !isSameStrength(one, other);
}

// Orders leave out the volume, so "40 MG/0.8 ML" becomes `40mg`.
function amountsOf({ drug }: Pick<TherapyEntry, 'drug'>): string {
  const parts = saidIn(drug, strengthsOf)?.value.flatMap((one) => one.toLowerCase().split(' / ')) ?? [];
  return parts
    .flatMap((part) => /\d[\d.,]*\s*[a-z%]+/.exec(part)?.[0].replace(/[\s,]/g, '') ?? [])
    .sort()
    .join(' ');
}

/** Products, brands, strengths, forms and releases from the names of what was taken, with the directions. */
export function takenAs(entries: readonly TherapyEntry[], around: Around) {
  const taken = takenEntries(entries, around);
  const isOfTaken = (entry: TherapyEntry) => taken.some((one) => isSameStrength(one, entry));
  const others = entries.filter((entry) => entry.kind === 'order' && !isOfTaken(entry));
  const saidBy = (entry: TherapyEntry) => (isOfTaken(entry) ? directionsIn(entry) : dosesOf(entry, taken, around));
  return {
    ...namesOf(taken, around.knowledge.drugs),
    directions: distinct(entries.flatMap((entry) => [...saidBy(entry), ...doseGiven(entry)])),
    orderedAs: distinct(others.map(({ drug }) => drug.product)),
  };
}

// Only doses by mass are kept: "40 mg daily" still applies if the fills are tablets of 20 mg, but "1 tablet daily"
// would state a wrong dose.
function dosesOf(order: TherapyEntry, taken: readonly TherapyEntry[], { chart }: Around): Cited<string>[] {
  if (!taken.some((fill) => isFilledFrom(fill, order, chart))) return [];
  return directionsIn(order).filter(({ value }) => readSig(value)?.mass !== undefined);
}

function namesOf(entries: readonly TherapyEntry[], drugs: DrugKnowledge) {
  const stated = (of: (reading: DrugReading) => string | undefined) =>
    distinct(entries.flatMap(({ drug }) => saidIn(drug, of) ?? []));
  return {
    products: distinct(entries.map(({ drug: { product } }) => product)),
    brands: distinct([
      ...stated(({ brand, ingredients }) => brand ?? ingredients.find((name) => isBrand(name, drugs))),
      ...entries.flatMap(({ drug }) => brandsInCodes(drug)),
    ]),
    strengths: distinct(entries.flatMap(strengthsIn)),
    forms: stated(({ form }) => form),
    releases: stated(releaseIn),
    releaseInPart: entries.some(({ drug }) => saidIn(drug, releaseIn) === undefined) ? true : undefined,
  };
}

// A text without a brand may have the code of a branded product.
function brandsInCodes({ coded }: TherapyEntry['drug']): Cited<string>[] {
  return coded.flatMap(({ value, source }) => {
    const brand = readDrugName(value)?.brand;
    return brand === undefined ? [] : [new Cited(brand, source)];
  });
}

// A pack has the strengths of all its products.
function strengthsOf({ strength, inPack }: DrugReading): readonly string[] | undefined {
  return strength === undefined ? inPack : [strength];
}

function strengthsIn({ drug }: TherapyEntry): Cited<string>[] {
  const said = saidIn(drug, strengthsOf);
  return said === undefined ? [] : said.value.map((strength) => new Cited(strength, said.source));
}

/** The release in a name. Undefined for a brand that includes the release, such as "Effexor XR". */
export function releaseIn({ brands, release }: DrugReading): string | undefined {
  const isInBrand = brands.some((brand) => takeRelease(brand).releases.length > 0);
  return isInBrand ? undefined : release?.words;
}

/** Removes duplicates without regard to case. The first source is kept. */
export function distinct(cited: readonly Cited<string>[]): Cited<string>[] {
  const plain = cited.map(({ value }) => value.toLowerCase());
  return cited.filter((_, index) => plain.indexOf(plain[index] ?? '') === index);
}
