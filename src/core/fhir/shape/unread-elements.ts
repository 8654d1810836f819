import { isObject } from '../is-object.ts';

/** An element of a resource that was not read, because it does not have the form of FHIR R4. */
export interface UnreadElement {
  /** `name[0].family`, as the resource spells it. */
  readonly path: string;
  readonly value: unknown;
}

/**
 * The unread values at or within an element of a resource. An element of another release counts as the FHIR R4 element
 * that it corresponds to: `reason` as `reasonCode`, `medication` as `medication[x]`, and those in `renamed`.
 *
 * @param stated - the resource as it was given
 * @param read - the resource as far as it has the form of FHIR R4
 * @param elements - the names on the path to the element: `['dispenseRequest', 'quantity']`
 */
export function unreadAt(stated: unknown, read: unknown, elements: readonly string[], path = ''): UnreadElement[] {
  const [element, ...others] = elements;
  // A value that was read in full is the given object itself.
  if (stated === read) return [];
  if (Array.isArray(stated))
    return stated.flatMap((item: unknown, at) => unreadAt(item, itemAt(read, at), elements, `${path}[${at}]`));
  if (element === undefined) return isLost(stated, read) ? [{ path, value: stated }] : [];
  if (!isObject(stated)) return [];
  return Object.keys(stated).flatMap((key) => {
    const now = isObject(read) ? read[key] : undefined;
    if (!isOf(key, element, now === undefined) || stated[key] === null) return [];
    const value = stated[key];
    const at = path === '' ? key : `${path}.${key}`;
    return now === undefined ? [{ path: at, value }] : unreadAt(value, now, others, at);
  });
}

/** The unread members of the items of a list. */
export function unreadInItems(
  stated: unknown,
  read: unknown,
  [element, ...others]: readonly string[],
): UnreadElement[] {
  if (element === undefined || others.length > 0 || !isObject(stated) || !isObject(read) || stated === read) return [];
  const list = stated[element];
  if (!Array.isArray(list)) return [];
  return list.flatMap((item: unknown, at) =>
    unreadMembers(item, itemAt(read[element], at)).map((member) => {
      return { path: `${element}[${at}].${member}`, value: Reflect.get(Object(item), member) };
    }),
  );
}

/** The names of the members of an element that were not read. */
export function unreadMembers(stated: unknown, read: unknown): string[] {
  if (!isObject(stated) || !isObject(read) || stated === read) return [];
  return Object.keys(stated).filter((key) => !isPrimitive(read[key]) && isLost(stated[key], read[key]));
}

/** Whether an element matches a name: `medicationReference` matches `medication`. */
export function isNamed(key: string, element: string): boolean {
  return isOf(key, element, true);
}

// A text, a number or a boolean is either read in full or not at all.
function isPrimitive(value: unknown): boolean {
  return value !== undefined && typeof value !== 'object';
}

function itemAt(list: unknown, at: number): unknown {
  return Array.isArray(list) ? list[at] : undefined;
}

// An item that was not read leaves an empty item in its list.
function isLost(stated: unknown, read: unknown): boolean {
  if (stated === null || stated === undefined) return false;
  if (Array.isArray(stated)) return stated.some((item: unknown, at) => isLost(item, itemAt(read, at)));
  const isEmpty = read === undefined || read === null || (isObject(read) && Object.keys(read).length === 0);
  return isEmpty && !(isObject(stated) && Object.keys(stated).length === 0);
}

function isOf(key: string, element: string, isUnread: boolean): boolean {
  if (key === element || begins(element, key)) return true;
  return isUnread && (begins(key, element) || renamed[element]?.includes(key) === true);
}

/** Whether `whole` is `start` with a type suffix: `medicationReference` for `medication`. */
function begins(start: string, whole: string): boolean {
  return whole.length > start.length && whole.startsWith(start) && /[A-Z]/.test(whole[start.length] ?? '');
}

/** Elements of FHIR R4 with their names in DSTU2, STU3 or R5 (`@types/fhir` r2, r3, r5). */
const renamed: Readonly<Record<string, readonly string[]>> = {
  encounter: ['context'],
  requester: ['prescriber'],
  authoredOn: ['dateWritten'],
  reasonCode: ['reasonCodeableConcept'],
  payor: ['insurer', 'issuer'],
  class: ['grouping', 'bin', 'group', 'plan'],
  form: ['doseForm'],
};
