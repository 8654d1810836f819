import { expect, test, vi } from 'vitest';
import type { CaseContext } from '../../src/cases/context.ts';
import { lookAt } from '../../src/cases/follow.ts';

// The record counts, whatever a webhook has told; that they differ is worth a look of the operator.

async function warnings(claim: object | undefined): Promise<number> {
  const warn = vi.fn();
  const record = { id: 'pa_1', status: 'completed', outcome: { result: 'Denied' } };
  const ended = { id: 'c1', site: 'valley', kind: 'prior-auth', state: 'ended', serviceId: 'pa_1', others: [], record };
  // Only what a look at a case that stands as it was read before asks for.
  const context = {
    log: { warn },
    get: async () => ended,
    store: {
      exclusively: async (_: string, work: () => Promise<unknown>) => await work(),
      cases: { columns: async () => ({ kind: 'prior-auth', site: 'valley' }) },
      webhooks: { lastClaim: async () => claim },
    },
  } as unknown as CaseContext;
  await lookAt(context, { case: 'c1' });
  return warn.mock.calls.length;
}

test('a webhook that told another outcome than the record is warned of', async () => {
  expect(await warnings({ status: 'completed', result: 'Approved' })).toBe(1);
});

test.each([
  ['told the same outcome', { status: 'completed', result: 'Denied' }],
  ['told another outcome before the end', { status: 'validating_outcome', result: 'Approved' }],
  ['told no outcome', { status: 'completed' }],
  ['never came', undefined],
])('a webhook that %s is not', async (_, claim) => {
  expect(await warnings(claim)).toBe(0);
});
