/**
 * The grammar of RxNorm names (SCD, SBD, SCDC, SBDC, GPCK, BPCK): "ingredient strength / ingredient strength dose form [brand]",
 * with an optional amount, duration or delivery in front ("0.4 ML adalimumab 100 MG/ML Auto-Injector [Humira]").
 * NLM, "RxNorm Technical Documentation", section 4 (normalised names).
 */
export interface RxNormName {
  readonly kind: 'drug' | 'pack';
  readonly ingredients: readonly RxNormIngredient[];
  /** What one container holds: `0.4 ML`. */
  readonly amount?: RxNormQuantity;
  /** `Oral Tablet`, `Auto-Injector`; absent for a component name (SCDC) and `Pack` for a pack. */
  readonly doseForm?: string;
  readonly brand?: string;
}

export interface RxNormIngredient {
  readonly name: string;
  readonly strength: RxNormQuantity;
}

/** Letter for letter as written: `0.4` and `MG/ML`. */
export interface RxNormQuantity {
  readonly value: string;
  readonly unit: string;
}

const number = String.raw`\d+(?:[.,]\d+)*`;
const base =
  '(?:MG|MCG|UG|NG|G|KG|ML|L|UNT|IU|UNITS|MEQ|MMOL|MOL|CELLS|ACTUAT|HR|SQCM|CM2|CM|BAU|AMB A 1 U|PNU|AU|TCID50|PFU|VP|LFU|MCI|MBQ|MICROCI|VECTOR-GENOMES|FFU|CFU)';
const component = new RegExp(`^(.+?) (${number}) (${base}(?:/(?:${number} )?${base})?|%)(?: (.+))?$`, 'i');
/** Order texts write the form before the strength: "atorvastatin (LIPITOR) tablet 40 MG" is no RxNorm name, and its beginning no drug. */
const formBefore =
  /\b(?:tablet|capsule|solution|suspension|injection|cream|ointment|patch|syringe|pen|injector|inhaler|spray|powder|vial|gel|lotion|syrup|drop)s?$/i;
const front = new RegExp(String.raw`^(${number}) (HR|ML|MG|ACTUAT|L|G) (?=\S*[A-Za-z])(?!.{0,3}$)`);
const delivery = /^((?:NDA|ANDA|BLA)\d{6}|Abuse-Deterrent|Matrix Delivery|Osmotic|Once-Daily|Biphasic|Sensor|3-Bead) /i;

// One chart asks for the same few names many times, a batch for the same few hundred.
const known = new Map<string, RxNormName | undefined>();
const most = 2000;

/** The parts of an RxNorm name, or undefined when the text is not certainly one (a bare ingredient, a free text, a unit it does not know). */
export function parseRxNormName(text: string): RxNormName | undefined {
  if (known.has(text)) return known.get(text);
  if (known.size >= most) known.clear();
  const name = read(text);
  known.set(text, name);
  return name;
}

function read(text: string): RxNormName | undefined {
  // Every name states a strength or a count, so it holds a digit.
  if (!/\d/.test(text)) return undefined;
  const { rest, brand } = takeBrand(text.trim().replace(/\s+/g, ' '));
  return rest.startsWith('{') ? parsePack(rest, brand) : parseDrug(rest, brand);
}

/** The strength as one text: `50 MG`, `325 MG / 7.5 MG`, `40 MG/0.4 ML` for an amount with a concentration; undefined for a pack. */
export function strengthOf(name: RxNormName): { readonly text: string; readonly derived: boolean } | undefined {
  if (name.kind === 'pack') return undefined;
  const [only, ...more] = name.ingredients;
  const inContainer = only === undefined || more.length > 0 ? undefined : containerStrength(only.strength, name.amount);
  if (inContainer !== undefined) return { text: inContainer, derived: true };
  const text = name.ingredients
    .map(({ strength }) => (strength.unit === '%' ? `${strength.value}%` : `${strength.value} ${strength.unit}`))
    .join(' / ');
  return { text, derived: false };
}

/** `adalimumab`, `acetaminophen / hydrocodone bitartrate`. */
export function ingredientsOf(name: RxNormName): string {
  return [...new Set(name.ingredients.map((ingredient) => ingredient.name))].join(' / ');
}

function takeBrand(text: string): { rest: string; brand: string | undefined } {
  const match = /^(.*\S) ?\[([^[\]]+)\]$/.exec(text);
  return match === null ? { rest: text, brand: undefined } : { rest: match[1] ?? text, brand: match[2]?.trim() };
}

function parseDrug(text: string, brand: string | undefined): RxNormName | undefined {
  const { rest, amount } = takeFront(text);
  const parts = rest.split(' / ');
  const ingredients: RxNormIngredient[] = [];
  let doseForm: string | undefined;
  for (const [index, part] of parts.entries()) {
    const match = component.exec(part);
    const [, name, value, unit, tail] = match ?? [];
    if (name === undefined || value === undefined || unit === undefined) return undefined;
    if (tail !== undefined && index < parts.length - 1) return undefined;
    if (/\d (MG|ML|MCG|G|UNT)\b/i.test(name) || formBefore.test(name) || /[()[\]{}]/.test(tail ?? '')) return undefined;
    if (tail !== undefined && /\d/.test(tail)) return undefined;
    ingredients.push({ name, strength: { value: value.replaceAll(',', ''), unit: unit.toUpperCase() } });
    doseForm = tail;
  }
  return {
    kind: 'drug',
    ingredients,
    ...(amount === undefined ? {} : { amount }),
    ...(doseForm === undefined ? {} : { doseForm }),
    ...(brand === undefined ? {} : { brand }),
  };
}

// Several may stand one after the other: "Abuse-Deterrent 12 HR ...".
function takeFront(text: string): { rest: string; amount: RxNormQuantity | undefined } {
  let rest = text;
  let amount: RxNormQuantity | undefined;
  for (;;) {
    const told = delivery.exec(rest);
    if (told !== null) {
      rest = rest.slice(told[0].length);
      continue;
    }
    const measured = front.exec(rest);
    if (measured === null) return { rest, amount };
    const [all, value = '', unit = ''] = measured;
    if (unit !== 'HR') amount = { value, unit };
    rest = rest.slice(all.length);
  }
}

function parsePack(text: string, brand: string | undefined): RxNormName | undefined {
  const body = /^\{(.+)\} Pack$/.exec(text)?.[1];
  if (body === undefined) return undefined;
  const contents = splitPack(body).map((content) => /^\s*\d+ (?:\([^()]*\) )?\((.+)\)\s*$/.exec(content)?.[1]);
  const drugs = contents.map((content) => {
    if (content === undefined) return undefined;
    const inner = takeBrand(content);
    return parseDrug(inner.rest, inner.brand);
  });
  const certain = drugs.filter((drug) => drug !== undefined);
  if (certain.length === 0 || certain.length !== drugs.length) return undefined;
  return {
    kind: 'pack',
    ingredients: certain.flatMap((drug) => drug.ingredients),
    doseForm: 'Pack',
    ...(brand === undefined ? {} : { brand }),
  };
}

// " / " separates contents only outside parentheses; inside, it separates ingredients.
function splitPack(body: string): string[] {
  const contents = [''];
  let depth = 0;
  for (const piece of body.split(/( \/ |[()])/)) {
    if (piece === ' / ' && depth === 0) contents.push('');
    else contents[contents.length - 1] += piece;
    if (piece === '(') depth += 1;
    if (piece === ')') depth -= 1;
  }
  return contents;
}

/** Milliliters that are one dose; a pen or vial that holds more holds several, and its label tells the concentration. */
const mostOfOneDose = 2;

function containerStrength(strength: RxNormQuantity, amount: RxNormQuantity | undefined): string | undefined {
  const [unit, per] = strength.unit.split('/');
  if (
    amount === undefined ||
    amount.unit !== 'ML' ||
    amount.value === '1' ||
    Number(amount.value) > mostOfOneDose ||
    per !== amount.unit ||
    unit === undefined
  )
    return undefined;
  const product = multiply(strength.value, amount.value);
  return product === undefined ? undefined : `${product} ${unit}/${amount.value} ${per}`;
}

// Exact decimals: 100 x 0.4 must be 40 and never 40.00000001.
function multiply(left: string, right: string): string | undefined {
  const [a, b] = [left.split('.'), right.split('.')];
  const decimals = (a[1]?.length ?? 0) + (b[1]?.length ?? 0);
  const digits = BigInt(a.join('')) * BigInt(b.join(''));
  const padded = digits.toString().padStart(decimals + 1, '0');
  const whole = padded.slice(0, padded.length - decimals);
  const fraction = decimals === 0 ? '' : padded.slice(-decimals).replace(/0+$/, '');
  return fraction.length > 3 ? undefined : fraction === '' ? whole : `${whole}.${fraction}`;
}
