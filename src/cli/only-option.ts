import type { Only } from '../batch/report/order-facts.ts';

export const onlyKeys: readonly Only['key'][] = ['drug', 'payer', 'prescriber', 'site', 'from', 'until'];

/** Parses a condition such as `drug=adalimumab`; undefined for any other text. */
export function readOnly(text: string): Only | undefined {
  const [, name, value = ''] = /^([a-z]+)=(.+)$/.exec(text) ?? [];
  const key = onlyKeys.find((one) => one === name);
  const isDay = key === 'from' || key === 'until';
  if (key === undefined || (isDay && !/^\d{4}-\d{2}-\d{2}$/.test(value))) return undefined;
  return { key, value };
}
