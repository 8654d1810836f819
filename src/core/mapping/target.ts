import { BridgeError } from '../errors.ts';

/** A parsed path into a body: `diagnoses[0].code` is `['diagnoses', 0, 'code']`. */
export type TargetPath = readonly (string | number)[];

const part = /(?:^|\.)([A-Za-z_$][\w$-]*)|\[(\d{1,4})\]/y;

/** Parses a target; throws bad_request for other texts, because targets come from forms. */
export function parseTarget(target: string): (string | number)[] {
  const parts: (string | number)[] = [];
  part.lastIndex = 0;
  while (part.lastIndex < target.length) {
    const match = part.exec(target);
    if (match === null || (match[1] !== undefined && match[1] in Object.prototype))
      throw new BridgeError('bad_request', { reason: 'a field name is not one of a request' });
    parts.push(match[1] ?? Number(match[2]));
  }
  if (typeof parts[0] !== 'string')
    throw new BridgeError('bad_request', { reason: 'a field name is not one of a request' });
  return parts;
}

export function formatTarget(path: readonly PropertyKey[]): string {
  return path.reduce<string>(
    (text, key) => (typeof key === 'number' ? `${text}[${key}]` : text === '' ? String(key) : `${text}.${String(key)}`),
    '',
  );
}

/** Whether `target` is `whole` or lies inside it. */
export function isWithin(target: string, whole: string): boolean {
  return target === whole || target.startsWith(`${whole}.`) || target.startsWith(`${whole}[`);
}

/** The value at a path of a plain body; undefined if there is none. */
export function valueAt(body: unknown, path: readonly PropertyKey[]): unknown {
  let at = body;
  for (const key of path) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, key)) return undefined;
    at = Reflect.get(at, key);
  }
  return at;
}
