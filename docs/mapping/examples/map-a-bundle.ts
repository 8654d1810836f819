import { mapChart } from 'prior-auth-bridge';
import { priorAuth, roles } from 'prior-auth-bridge/mappings';
import bundle from './bundle.json' with { type: 'json' };

const now = new Date('2026-11-21T15:00:00Z');
for (const { order, result } of mapChart(bundle, { mapping: priorAuth, roles, now, site: { country: 'USA' } }).orders) {
  console.log(order, result?.status ?? 'no candidate');
  for (const { severity, target, message } of result?.gaps ?? []) console.log(`  ${severity} ${target}: ${message}`);
}
