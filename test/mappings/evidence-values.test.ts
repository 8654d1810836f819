import { expect, test } from 'vitest';
import { counted, judged, workedOutText } from '../../mappings/evidence-values.ts';

test.each([
  [workedOutText, 'continuing', 28],
  [counted, 28, '28'],
  [judged, false, 'false'],
] as const)('$name takes %j, which is worked out, and nothing of another type', (transform, value, other) => {
  expect(transform.apply(value)).toEqual({ value, derived: true });
  expect(transform.apply(other)).toEqual({ refused: 'nothing_to_say' });
  expect(transform.apply(undefined)).toEqual({ refused: 'nothing_to_say' });
});
