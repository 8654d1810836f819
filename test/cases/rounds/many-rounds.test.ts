import { test } from 'vitest';
import { live } from './lives.ts';
import { memoryClinic } from './memory.ts';

test('in many lives a reply is accepted at most once, and rounds end only when somebody ends them', async () => {
  for (let seed = 1; seed <= 150; seed += 1) await live(seed, memoryClinic('current', 'outreach_complete'));
}, 60_000);
