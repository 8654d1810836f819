import { readFileSync } from 'node:fs';
import { z } from 'zod';
import type { Clock } from '../../base/log.ts';
import { BridgeError } from '../../core/errors.ts';
import { Switches, type SwitchTable, WrongOrder } from './control/switches.ts';
import { ehrSwitches } from './ehr/ehr-switches.ts';
import { serviceSwitches } from './service/service-switches.ts';

const Orders = z.strictObject({
  service: z.array(z.unknown()).default([]),
  ehr: z.array(z.unknown()).default([]),
});
/** The faults of the sandboxes from the start, as orders that their endpoints accept. */
export type Orders = z.infer<typeof Orders>;

/** Reads a file of `{ "service": [order], "ehr": [order] }`. Throws config_invalid with every wrong order. */
export function readOrders(path: string, clock: Clock): Orders {
  const orders = Orders.safeParse(contentOf(path));
  if (!orders.success) throw invalid([`${path}: expected { "service": [...], "ehr": [...] }`]);
  const { service, ehr } = orders.data;
  const problems = [
    ...problemsOf(service, new Switches(serviceSwitches, clock, true)).map((text) => `${path}: service${text}`),
    ...problemsOf(ehr, new Switches(ehrSwitches, clock, false)).map((text) => `${path}: ehr${text}`),
  ];
  if (problems.length > 0) throw invalid(problems);
  return orders.data;
}

function problemsOf<Table extends SwitchTable>(orders: readonly unknown[], switches: Switches<Table>): string[] {
  return orders.flatMap((order, index) => {
    try {
      switches.add(order);
      return [];
    } catch (thrown) {
      if (thrown instanceof WrongOrder) return thrown.problems.map((text) => `[${index}]: ${text}`);
      throw thrown;
    }
  });
}

function contentOf(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (cause) {
    throw new BridgeError('input_unreadable', { file: path }, { cause });
  }
}

function invalid(problems: readonly string[]): BridgeError {
  return new BridgeError(
    'config_invalid',
    { problems: [...problems] },
    { next: 'docs/develop/sandbox.md has every switch with its values.' },
  );
}
