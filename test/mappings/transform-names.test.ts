import { expect, test } from 'vitest';
import * as evidenceValues from '../../mappings/evidence-values.ts';
import * as valueTransforms from '../../mappings/value-transforms.ts';

// `describe`, `explain` and `lint` name a transform by this alone.
test('every transform has a name, and no two of one file have the same', () => {
  for (const file of [evidenceValues, valueTransforms]) {
    const names = Object.values(file).flatMap((one) => (typeof one === 'object' && 'apply' in one ? [one.name] : []));
    expect(names.length).toBeGreaterThan(15);
    expect(names).not.toContain('');
    expect(new Set(names).size).toBe(names.length);
  }
});
