/** The items of a list as it came: of nothing none, and what stands alone in place of a list is its one item. */
export function listOf(value: unknown): readonly unknown[] {
  if (value === undefined || value === null) return none;
  const items: readonly unknown[] = Array.isArray(value) ? value : [value];
  return items.filter((item) => item !== null);
}

const none: readonly unknown[] = [];
