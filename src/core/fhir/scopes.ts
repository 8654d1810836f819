/**
 * SMART scopes as data: the allowed interactions by level and type.
 * https://hl7.org/fhir/smart-app-launch/scopes-and-launch-context.html
 */

export type Interaction = 'c' | 'r' | 'u' | 'd' | 's';

interface ResourceScope {
  readonly level: 'patient' | 'user' | 'system';
  readonly type: string;
  readonly interactions: string;
  /** Whether a query (`?param=value`) narrows the scope. */
  readonly narrowed: boolean;
}

const v1: Readonly<Record<string, string>> = { read: 'rs', write: 'cud', '*': 'cruds' };

/** The scopes of a space-separated list, without duplicates, in order. Unknown scopes are kept. */
export function scopeList(scopes: string): string[] {
  return [...new Set(scopes.split(/\s+/).filter((scope) => scope !== ''))];
}

/**
 * Whether any of the granted scopes allows this interaction with this type. A scope narrowed by a query counts: the
 * server applies the narrowing.
 */
export function grants(granted: readonly string[], type: string, interaction: Interaction): boolean {
  return granted.some((scope) => {
    const parsed = parseScope(scope);
    return (
      parsed !== undefined && (parsed.type === '*' || parsed.type === type) && parsed.interactions.includes(interaction)
    );
  });
}

/**
 * Whether `granted` already allows everything that `scope` allows; a scope that is not about resources must be in
 * `granted` literally.
 */
export function covers(granted: readonly string[], scope: string): boolean {
  const asked = parseScope(scope);
  if (asked === undefined) return granted.includes(scope);
  return [...asked.interactions].every((interaction) =>
    granted.some((each) => {
      const given = parseScope(each);
      if (given === undefined || given.level !== asked.level || !given.interactions.includes(interaction)) return false;
      return (given.type === '*' || given.type === asked.type) && (!given.narrowed || each === scope);
    }),
  );
}

/**
 * A v2 scope in the syntax of SMART v1 (`patient/Coverage.rs` is `patient/Coverage.read`), for servers that only
 * support v1. Other scopes are unchanged.
 */
export function asV1(scope: string): string[] {
  const parsed = parseScope(scope);
  if (parsed === undefined) return [scope];
  const name = `${parsed.level}/${parsed.type}`;
  const reads = /[rs]/.test(parsed.interactions);
  const writes = /[cud]/.test(parsed.interactions);
  return [...(reads ? [`${name}.read`] : []), ...(writes ? [`${name}.write`] : [])];
}

function parseScope(scope: string): ResourceScope | undefined {
  const match = /^(patient|user|system)\/([A-Za-z]+|\*)\.(read|write|\*|c?r?u?d?s?)(\?.+)?$/.exec(scope);
  const [, level, type, verbs] = match ?? [];
  if (
    (level !== 'patient' && level !== 'user' && level !== 'system') ||
    type === undefined ||
    verbs === undefined ||
    verbs === ''
  )
    return undefined;
  return { level, type, interactions: v1[verbs] ?? verbs, narrowed: match?.[4] !== undefined };
}
