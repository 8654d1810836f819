import { z } from 'zod';
import { candidateOrders } from '../../../core/roles/select.ts';
import { type Deps, rolesOfSite } from '../../http/deps.ts';
import { type Draft, valuesOfOrder } from '../../request/draft.ts';
import { search } from '../documents/words.ts';
import type { Visit } from '../launch/route.ts';

/** A pharmacy as the request names one: leaves by their targets. */
export interface FoundPharmacy {
  readonly name: string;
  /** The address on one line; empty when nobody knows it. */
  readonly address: string;
  readonly note: string;
  /** `pharmacy.name`, `pharmacy.address.city` ... */
  readonly fields: Readonly<Record<string, string>>;
}

export const usedPharmacy = 'pharmacy';

/** The leaves of a pharmacy in a body, in the order of the page. */
export const pharmacyTargets = [
  'pharmacy.name',
  ...['street', 'street_line_2', 'city', 'state_province', 'zip_postal_code', 'country'].map(
    (part) => `pharmacy.address.${part}`,
  ),
] as const;

const atMost = 20;
const mostUsed = 300;
/** Orders of a chart whose pharmacies are looked at; a long record may have hundreds. */
const mostOrders = 60;

/** Pharmacies of the chart's orders, then those of the practice's earlier requests, that have every word. */
export async function searchPharmacies(
  deps: Deps,
  { launch }: Pick<Visit, 'launch'>,
  draft: Pick<Draft, 'pull' | 'case'>,
  text: string,
): Promise<readonly FoundPharmacy[]> {
  const used = (await deps.used?.most(draft.case.site, usedPharmacy, mostUsed)) ?? [];
  const all = [
    ...ofChart(deps, { launch }, draft),
    ...used.flatMap(({ content, count }) => pharmacyFrom(content, search.usedHere(count)) ?? []),
  ];
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const isMeant = ({ name, address }: FoundPharmacy) => {
    const said = `${name} ${address}`.toLowerCase();
    return words.every((word) => said.includes(word));
  };
  return [...new Map(all.toReversed().map((one) => [keyOf(one.fields), one])).values()]
    .toReversed()
    .filter(isMeant)
    .slice(0, atMost);
}

/** What makes two entries the same pharmacy: name and address, whatever their spelling. */
export function keyOf(fields: Readonly<Record<string, string>>): string {
  return pharmacyTargets
    .map((target) => (fields[target] ?? '').toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, ''))
    .join('|');
}

/** The pharmacy of a body by its targets; undefined when it names none. */
export function pharmacyIn(values: ReadonlyMap<string, unknown>): Record<string, string> | undefined {
  const fields = pharmacyTargets.flatMap((target) => {
    const value = values.get(target);
    return typeof value === 'string' ? [[target, value] as const] : [];
  });
  return values.has('pharmacy.name') ? Object.fromEntries(fields) : undefined;
}

function ofChart(deps: Deps, { launch }: Pick<Visit, 'launch'>, { pull }: Pick<Draft, 'pull'>): FoundPharmacy[] {
  const choosing = { roles: rolesOfSite(deps, launch.site), now: deps.clock(), site: launch.site };
  const orders = candidateOrders(pull.entries, { ...choosing, patient: `Patient/${launch.patient}` });
  return orders.slice(0, mostOrders).flatMap(({ order }) => {
    const fields = pharmacyIn(valuesOfOrder(deps, launch, pull, order));
    return fields === undefined ? [] : (pharmacyFrom(fields, search.inChart) ?? []);
  });
}

const Fields = z.record(z.string(), z.string());

function pharmacyFrom(content: unknown, note: string): FoundPharmacy | undefined {
  const fields = Fields.safeParse(content).data ?? {};
  const name = fields['pharmacy.name'];
  if (name === undefined) return undefined;
  const part = (key: string) => fields[`pharmacy.address.${key}`] ?? '';
  const lines = [
    part('street'),
    part('street_line_2'),
    `${part('city')} ${part('state_province')} ${part('zip_postal_code')}`,
  ];
  const address = lines
    .map((line) => line.trim().replace(/\s+/g, ' '))
    .filter(Boolean)
    .join(', ');
  return { name, address, note, fields };
}
