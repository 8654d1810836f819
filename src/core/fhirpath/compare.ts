import { isObject } from '../fhir/is-object.ts';
import type { DateLiteral } from './ast.ts';
import { EvaluationError } from './error.ts';
import type { Item } from './item.ts';
import { isDate, isTime } from './item-types.ts';

/** true, false, or undefined where FHIRPath returns the empty collection. */
export type Truth = boolean | undefined;

/** FHIRPath `=`: empty if one side is empty, false if the counts differ, else item by item in order. */
export function equalCollections(left: readonly Item[], right: readonly Item[]): Truth {
  if (left.length === 0 || right.length === 0) return undefined;
  if (left.length !== right.length) return false;
  let result: Truth = true;
  for (let at = 0; at < left.length; at += 1) {
    const [one, other] = [left[at] as Item, right[at] as Item]; // both lists have this length
    if (needsUnits(one.value, other.value) && !isSameQuantity(one.value, other.value))
      throw new EvaluationError('a whole Quantity cannot be compared; compare its value and code');
    const equal = equalItems(one, other);
    if (equal === false) return false;
    if (equal === undefined) result = undefined;
  }
  return result;
}

/**
 * Whether two items have the same value; undefined for dates whose precision or time zone does not decide it. A date
 * never equals a string (write `@2026-01-31`).
 */
export function equalItems(left: Item, right: Item): Truth {
  const [a, b] = [left.value, right.value];
  if (typeof a === 'string' && typeof b === 'string') {
    const [dated, timed] = [isDate(left), isTime(left)];
    if (dated !== isDate(right) || timed !== isTime(right)) return false;
    if (a !== b) return dated ? equalDates(a, b) : false;
    return sameElements(left, right);
  }
  if (typeof a === 'object' || typeof b === 'object' || a === undefined || b === undefined)
    return equalStructures(left, right);
  return a === b && sameElements(left, right);
}

// Elements with the same value must also have the same ids and extensions. Computed values and literals have none.
function sameElements(left: Item, right: Item): boolean {
  return left.parent === undefined || right.parent === undefined || deepEqual(left.element, right.element);
}

/**
 * FHIRPath `<`: negative, 0 or positive. Undefined if the precision or time zone of two dates does not decide the
 * order, or if a primitive has only extensions. Throws EvaluationError for values that have no order.
 */
export function order(left: Item, right: Item): number | undefined {
  if (left.value === undefined || right.value === undefined) return undefined;
  const [a, b] = [dateText(left), dateText(right)];
  if (a !== undefined && b !== undefined) return compareDates(a, b);
  const [x, y] = [left.value, right.value];
  if (typeof x === 'number' && typeof y === 'number') return x - y;
  if (
    typeof x === 'string' &&
    typeof y === 'string' &&
    a === undefined &&
    b === undefined &&
    isTime(left) === isTime(right)
  ) {
    if (x === y) return 0;
    return x < y ? -1 : 1;
  }
  throw new EvaluationError('values of these kinds have no order');
}

function equalStructures(left: Item, right: Item): Truth {
  const [a, b] = [dateText(left), dateText(right)];
  if (a !== undefined && b !== undefined) return equalDates(a, b);
  if (left.value === undefined || right.value === undefined)
    return left.value === right.value && deepEqual(left.element, right.element);
  return deepEqual(left.value, right.value);
}

// Comparing different quantities needs unit conversion (UCUM), which is not implemented. A number means a quantity
// without a unit.
function needsUnits(left: unknown, right: unknown): boolean {
  return (
    (isQuantity(left) && (isQuantity(right) || typeof right === 'number')) ||
    (isQuantity(right) && typeof left === 'number')
  );
}

// Two values "less than 5" are not necessarily equal, so a quantity with a comparator never equals another.
function isSameQuantity(left: unknown, right: unknown): boolean {
  return isObject(left) && left.comparator === undefined && deepEqual(left, right);
}

function isQuantity(value: unknown): boolean {
  return isObject(value) && typeof value.value === 'number' && Object.keys(value).every((key) => quantityKeys.has(key));
}

const quantityKeys = new Set(['id', 'extension', 'value', 'comparator', 'unit', 'system', 'code']);

function dateText(item: Item): string | undefined {
  if (typeof item.value === 'string') return isDate(item) ? item.value : undefined;
  return isDateLiteral(item.value) && item.parent === undefined ? item.value.date : undefined;
}

function isDateLiteral(value: unknown): value is DateLiteral {
  return isObject(value) && typeof value.date === 'string' && Object.keys(value).length === 1;
}

function deepEqual(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (Array.isArray(left))
    return (
      Array.isArray(right) && left.length === right.length && left.every((item, index) => deepEqual(item, right[index]))
    );
  if (!isObject(left) || !isObject(right)) return false;
  const keys = Object.keys(left);
  return (
    keys.length === Object.keys(right).length &&
    keys.every((key) => Object.hasOwn(right, key) && deepEqual(left[key], right[key]))
  );
}

function equalDates(left: string, right: string): Truth {
  const compared = compareDates(left, right);
  return compared === undefined ? undefined : compared === 0;
}

const wholeDay = /^\d{4}-\d\d-\d\d$/;
const parts = /^(\d{4})(?:-(\d\d)(?:-(\d\d))?)?(?:T(?:(\d\d)(?::(\d\d)(?::(\d\d(?:\.\d+)?))?)?)?(Z|[+-]\d\d:\d\d)?)?$/;

/**
 * FHIRPath, "Date, DateTime and Time comparison": compared component by component; undefined when the precisions
 * differ, or only one has a time zone.
 */
function compareDates(left: string, right: string): number | undefined {
  if (wholeDay.test(left) && wholeDay.test(right)) return left < right ? -1 : Number(left > right);
  const [a, b] = [parts.exec(left), parts.exec(right)];
  if (a === null || b === null) throw new EvaluationError('a date is not written as FHIR writes dates');
  if ((a[7] === undefined) !== (b[7] === undefined) && a[4] !== undefined && b[4] !== undefined) return undefined;
  const sameZone = a[7] === b[7] || a[7] === undefined || b[7] === undefined;
  const [x, y] = sameZone ? [components(a), components(b)] : [inUtc(a), inUtc(b)];
  for (let at = 0; at < Math.max(x.length, y.length); at += 1) {
    const [one, other] = [x[at], y[at]];
    if (one === undefined || other === undefined) return undefined;
    if (one !== other) return one - other;
  }
  return 0;
}

function components(match: RegExpExecArray): number[] {
  return match
    .slice(1, 7)
    .filter((part) => part !== undefined)
    .map(Number);
}

function inUtc(match: RegExpExecArray): number[] {
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0, second] = components(match);
  const zone = match[7] === 'Z' || match[7] === undefined ? 0 : zoneMinutes(match[7]);
  const shifted = new Date(Date.UTC(year, month - 1, day, hour, minute - zone));
  const whole = [
    shifted.getUTCFullYear(),
    shifted.getUTCMonth() + 1,
    shifted.getUTCDate(),
    shifted.getUTCHours(),
    shifted.getUTCMinutes(),
  ];
  return second === undefined ? whole : [...whole, second];
}

function zoneMinutes(zone: string): number {
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(4, 6));
  return zone.startsWith('-') ? -minutes : minutes;
}
