import { expect, test } from 'vitest';
import { derivedCount, derivedFlag, derivedText } from '../../mappings/evidence-values.ts';

test.each([
  [derivedText, 'continuing', 28],
  [derivedCount, 28, '28'],
  [derivedFlag, false, 'false'],
] as const)('$name takes %j, which is worked out, and nothing of another type', (transform, value, other) => {
  expect(transform.apply(value)).toEqual({ value, derived: true });
  expect(transform.apply(other)).toEqual({ refused: 'nothing_to_say' });
  expect(transform.apply(undefined)).toEqual({ refused: 'nothing_to_say' });
});
