/** The leaves of a body by target: `prescription.quantity`, `diagnoses[0].code`. */
export type Leaves = ReadonlyMap<string, string | number | boolean>;

/** Every leaf of a body or draft by target, in the order of the body. */
export function leavesOf(value: unknown): Leaves {
  const leaves = new Map<string, string | number | boolean>();
  collect(value, '', leaves);
  return leaves;
}

export function isCardImage(target: string): boolean {
  return /^insurance\[\d+\]\.file_content$/.test(target);
}

/** The images of the insurance card, in base64. */
export function cardImagesIn(leaves: Leaves): string[] {
  return [...leaves].filter(([target]) => isCardImage(target)).map(([, content]) => String(content));
}

/** A leaf whose value changed between two readings of the chart. */
export interface LeafChange {
  readonly target: string;
  readonly before?: string;
  readonly after?: string;
}

export function changesBetween(before: Leaves, after: Leaves): LeafChange[] {
  const targets = [...new Set([...before.keys(), ...after.keys()])];
  return targets
    .filter((target) => before.get(target) !== after.get(target))
    .map((target) => ({ target, ...text('before', before.get(target)), ...text('after', after.get(target)) }));
}

function collect(value: unknown, path: string, leaves: Map<string, string | number | boolean>): void {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') leaves.set(path, value);
  else if (Array.isArray(value))
    for (const [index, item] of value.entries()) collect(item, `${path}[${index}]`, leaves);
  else if (typeof value === 'object' && value !== null)
    for (const [key, item] of Object.entries(value)) collect(item, path === '' ? key : `${path}.${key}`, leaves);
}

function text(
  key: 'before' | 'after',
  value: string | number | boolean | undefined,
): Partial<Record<'before' | 'after', string>> {
  return value === undefined ? {} : { [key]: String(value) };
}
