import { choiceKeysOf, dateNames } from '../../../src/core/fhir/model/model.ts';
import { choiceTexts } from '../../../src/core/fhir/model/r4.generated.ts';

/** What is known of one element path inside a resource. */
interface Found {
  readonly path: string;
  readonly values: unknown[];
  quantity: boolean;
  /** Type suffixes of the choice the path ends with. */
  readonly types: Set<string>;
}

/**
 * Expressions over what stands in a resource: every path in many forms, and comparisons between its own values.
 * Deterministic.
 */
export function expressionsFor(resource: object, limit = Number.POSITIVE_INFINITY): string[] {
  const found = new Map<string, Found>();
  collect(resource, '', found);
  const type = Reflect.get(resource, 'resourceType');
  const paths = [...found.values()].filter(({ path }) => path !== '');
  const all = paths.flatMap((one, index) => [
    ...single(one, String(type)),
    ...pairs(one, paths[(index * 7 + 3) % paths.length] ?? one),
  ]);
  const unique = [...new Set(all)];
  const step = Math.max(1, Math.floor(unique.length / limit));
  return unique.filter((_, index) => index % step === 0);
}

function single({ path, values, types }: Found, type: string): string[] {
  const parent = path.includes('.') ? path.slice(0, path.lastIndexOf('.')) : undefined;
  const name = path.slice(path.lastIndexOf('.') + 1);
  const forms = [
    path,
    `${type}.${path}`,
    `${path}.first()`,
    `${path}.last()`,
    `${path}.tail()`,
    `${path}[0]`,
    `${path}[1]`,
    `${path}.count()`,
    `${path}.exists()`,
    `${path}.empty()`,
    `${path}.exists().not()`,
    `${path}.hasValue()`,
    `(${path})`,
    `{} | ${path}`,
    `${path}.count() > 1`,
    `${path}.count() <= 1`,
    `iif(${path}.exists(), ${path}.first(), 'none')`,
  ];
  const inParent =
    parent === undefined
      ? []
      : [
          `${parent}.where(${name}.exists()).${name}`,
          `${parent}.where(${name}.empty()).count()`,
          `${parent}.exists(${name}.exists())`,
          `${parent}.all(${name}.exists())`,
          `${parent}.first().${name}`,
          `${parent}.last().${name}`,
        ];
  const typed = [...types].flatMap((suffix) => [
    `${path}.ofType(${suffix})`,
    `${path}.ofType(${suffix}).exists()`,
    `${path}.ofType(Ratio)`,
    `${path}.first() is ${suffix}`,
    `${path}.first().is(${suffix})`,
    `(${path}.first() as ${suffix})`,
    `${path}.first().as(Ratio)`,
  ]);
  return [
    ...forms,
    ...inParent,
    ...typed,
    ...values.slice(0, 3).flatMap((value) => withValue(path, parent, name, value)),
  ];
}

function withValue(path: string, parent: string | undefined, name: string, value: unknown): string[] {
  const literal = literalOf(value, name);
  if (literal === undefined) return [];
  const forms = [
    `${path} = ${literal}`,
    `${path} != ${literal}`,
    `${path}.exists($this = ${literal})`,
    `${path}.where($this != ${literal})`,
    `${literal} in ${path}`,
    `${path} contains ${literal}`,
    `${path}.first() = ${literal} or ${path}.count() = 2`,
    `${path}.first() = ${literal} and ${path}.empty()`,
    `(${path} = ${literal}) xor true`,
    `${path}.last() = ${literal} implies false`,
  ];
  const inParent =
    parent === undefined
      ? []
      : [
          `${parent}.where(${name} = ${literal})`,
          `${parent}.where(${name} = ${literal}).exists()`,
          `${parent}.exists(${name} = ${literal})`,
          `${parent}.where(${name} != ${literal}).count()`,
        ];
  if (typeof value === 'number')
    forms.push(
      `${path}.first() < ${value + 1}`,
      `${path}.first() >= ${value}`,
      `${path}.first() > ${value}`,
      `${path}.where($this <= ${value})`,
    );
  if (typeof value === 'string' && !isDate(value, name))
    forms.push(
      `${path}.first().startsWith('${escaped(value.slice(0, 2))}')`,
      `${path}.first().endsWith('x')`,
      `${path}.first().contains('${escaped(value.slice(1, 3))}')`,
      `${path}.first() < 'M'`,
    );
  return [...forms, ...inParent];
}

function pairs(one: Found, other: Found): string[] {
  // Whole quantities are not compared by the subset; numbers and dates never meet in a mapping.
  if (one.quantity || other.quantity || kindOf(one) !== kindOf(other)) return [];
  return [
    `${one.path} | ${other.path}`,
    `(${one.path} | ${other.path}).count()`,
    `(${one.path} | ${other.path}).distinct().count()`,
    `${one.path} = ${other.path}`,
    `${one.path} != ${other.path}`,
    `${one.path}.exists() and ${other.path}.exists()`,
    `${one.path}.exists() or ${other.path}.empty()`,
    `${one.path}.empty() implies ${other.path}.exists()`,
  ];
}

function kindOf({ values, path }: Found): string {
  const name = path.slice(path.lastIndexOf('.') + 1);
  return [...new Set(values.map((value) => (isDate(value, name) ? 'date' : typeof value)))].join();
}

function literalOf(value: unknown, name: string): string | undefined {
  if (typeof value === 'boolean' || typeof value === 'number') return String(value);
  if (typeof value !== 'string') return undefined;
  return isDate(value, name) ? `@${value}` : `'${escaped(value)}'`;
}

function isDate(value: unknown, name: string): boolean {
  return (
    typeof value === 'string' && (dateNames.has(name) ? /^\d{4}/.test(value) : /^\d{4}-\d\d(-\d\d(T.*)?)?$/.test(value))
  );
}

function escaped(text: string): string {
  return text
    .replaceAll('\\', '\\\\')
    .replaceAll("'", "\\'")
    .replaceAll('\n', '\\n')
    .replaceAll('\r', '\\r')
    .replaceAll('\t', '\\t');
}

function collect(value: unknown, path: string, found: Map<string, Found>, suffix?: string): void {
  if (Array.isArray(value)) {
    for (const item of value) if (item !== null) collect(item, path, found, suffix);
    return;
  }
  const known = found.get(path) ?? { path, values: [], quantity: false, types: new Set<string>() };
  found.set(path, known);
  if (suffix !== undefined) known.types.add(suffix);
  if (typeof value !== 'object' || value === null) {
    if (!known.values.includes(value)) known.values.push(value);
    return;
  }
  if ('value' in value && typeof value.value === 'number') known.quantity = true;
  for (const [key, inner] of Object.entries(value)) {
    if (key === 'resourceType' || key === 'div' || key.startsWith('_') || key === 'data') continue;
    if (key in Object.prototype) continue; // no element of FHIR R4; the subset refuses such a name
    const choice = choices.get(key);
    const name = choice?.name ?? key;
    collect(inner, path === '' ? name : `${path}.${name}`, found, choice?.suffix);
  }
}

const choices = new Map(
  Object.keys(choiceTexts).flatMap((name) =>
    (choiceKeysOf(name) ?? []).map(({ key, type }) => [key, { name, suffix: type }] as const),
  ),
);
