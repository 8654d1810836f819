/** The items of a list as received. A missing list is empty; a value in place of a list is its only item. */
export function listOf(value: unknown): readonly unknown[] {
  if (value === undefined || value === null) return none;
  const items: readonly unknown[] = Array.isArray(value) ? value : [value];
  return items.filter((item) => item !== null);
}

const none: readonly unknown[] = [];
