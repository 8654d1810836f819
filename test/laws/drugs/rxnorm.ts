import { doseForms } from './dose-forms.ts';

/** `ivacaftor 125 MG`, or `insulin glargine 100 UNT/ML`. */
export interface Ingredient {
  readonly name: string;
  readonly amount: number;
  /** MG, UNT, MEQ, ML */
  readonly unit: string;
  /** ML, MG, HR, ACTUAT */
  readonly per: string | undefined;
}

/**
 * The parts of a name by RxNorm's grammar: `[kind of release] [volume] ingredient strength / ... dose form [brand]`.
 */
export interface Parsed {
  readonly ingredients: readonly Ingredient[];
  readonly doseForm: string;
  readonly brand: string | undefined;
  /** Of one container, in ML. */
  readonly volume: number | undefined;
  readonly hours: number | undefined;
  readonly release: 'extended' | 'delayed' | undefined;
  readonly isPack: boolean;
  /** A pack whose parts differ. */
  readonly isMixed: boolean;
}

export function parseName(name: string): Parsed {
  const pack = /^\{(.*?) ?\} ?Pack(?: \[(.*)\])?$/.exec(name);
  if (pack === null) return parseProduct(name);
  const parts = [...(pack[1] ?? '').matchAll(/\d+ \((.*?)\)(?= \/|$)/g)].map(([, part = '']) => parseProduct(part));
  const [first] = parts;
  if (first === undefined) throw new Error(`no part in ${name}`);
  const isMixed = parts.length > 1;
  const ingredients = isMixed ? parts.flatMap((part) => part.ingredients) : first.ingredients;
  return { ...first, ingredients, brand: pack[2], isPack: true, isMixed };
}

const kindOfRelease =
  /^(?:(?:Abuse-Deterrent|Microencapsulated|Matrix Delivery|Sensor|Once-Daily|3-Bead|\d+\/\d+ Release) )+/;

function parseProduct(name: string): Parsed {
  const [, whole = '', brand] = /^(.*?)(?: \[([^\]]*)\])?$/.exec(name) ?? [];
  const [, hours, timed = ''] = /^(?:(\d+) HR )?(.*)$/.exec(whole.replace(kindOfRelease, '')) ?? [];
  const [, volume, unit, body = ''] = /^(?:([\d.]+) (ML|ACTUAT|MG) (?=\D))?(.*)$/.exec(timed) ?? [];
  const doseForm = Object.keys(doseForms).find((form) => body.endsWith(` ${form}`));
  if (doseForm === undefined) throw new Error(`no known dose form in ${name}`);
  return {
    ingredients: body
      .slice(0, -doseForm.length - 1)
      .split(' / ')
      .map(ingredientOf),
    doseForm,
    brand,
    volume: unit === 'ML' ? Number(volume) : undefined,
    hours: hours === undefined ? undefined : Number(hours),
    release: /Extended Release/.test(doseForm) ? 'extended' : /Delayed Release/.test(doseForm) ? 'delayed' : undefined,
    isPack: false,
    isMixed: false,
  };
}

function ingredientOf(text: string): Ingredient {
  const found = /^(.*?) ([\d.]+) (MG|UNT|MEQ|ML)(?:\/(ML|MG|HR|ACTUAT))?$/.exec(text);
  if (found === null) throw new Error(`no strength in ${text}`);
  return { name: found[1] ?? '', amount: Number(found[2]), unit: found[3] ?? '', per: found[4] };
}
