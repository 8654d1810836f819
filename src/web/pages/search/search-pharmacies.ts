import { z } from 'zod';
import { pharmacyTargets } from '../../../core/contract/groups.ts';
import { candidateOrders } from '../../../core/roles/select.ts';
import { type Deps, rolesOfSite } from '../../http/deps.ts';
import { userOf } from '../../http/user.ts';
import { addressText, joinedAddress } from '../../request/address.ts';
import { cached } from '../../request/cached.ts';
import { valuesOfOrder } from '../../request/chart-mapping.ts';
import type { Draft } from '../../request/draft.ts';
import { enteredByOf } from '../../request/typed/entered-by.ts';
import { search } from '../documents/words.ts';
import type { Visit } from '../launch/route.ts';

/** A pharmacy with its fields in a request. */
export interface FoundPharmacy {
  readonly name: string;
  /** The address and further details in one line; '' if they are unknown. */
  readonly detail: string;
  readonly note: string;
  /** Values by target: `pharmacy.name`, `pharmacy.address.city` ... */
  readonly fields: Readonly<Record<string, string>>;
}

export const usedPharmacy = 'pharmacy';

const atMost = 20;
const mostUsed = 300;
/** The number of the chart's orders in which pharmacies are searched. A long record may have hundreds of orders. */
const mostOrders = 60;

/**
 * Pharmacies that contain every word of the text: first those of the chart's orders, then those of the practice's
 * earlier requests.
 */
export async function searchPharmacies(
  deps: Deps,
  { launch }: Pick<Visit, 'launch'>,
  draft: Pick<Draft, 'pull' | 'case'>,
  text: string,
): Promise<readonly FoundPharmacy[]> {
  return await amongPharmacies(deps, ofChart(deps, { launch }, draft.pull), draft.case.site, text);
}

async function amongPharmacies(
  { used: table }: Pick<Deps, 'used'>,
  inChart: readonly FoundPharmacy[],
  site: string,
  text: string,
): Promise<readonly FoundPharmacy[]> {
  const used = (await table?.most(site, usedPharmacy, mostUsed)) ?? [];
  const all = [
    ...inChart,
    ...used.flatMap(({ content, count }) => pharmacyFrom(content, search.usedHere(count)) ?? []),
  ];
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const isMeant = ({ name, detail }: FoundPharmacy) => {
    const said = `${name} ${detail}`.toLowerCase();
    return words.every((word) => said.includes(word));
  };
  return [...new Map(all.toReversed().map((one) => [keyOf(one.fields), one])).values()]
    .toReversed()
    .filter(isMeant)
    .slice(0, atMost);
}

/** Enters a pharmacy in the draft. All pharmacy fields are replaced, so that two pharmacies are never mixed. */
export async function usePharmacy(
  deps: Deps,
  { launch }: Pick<Visit, 'launch'>,
  draft: Draft,
  fields: Readonly<Record<string, string>>,
): Promise<void> {
  const by = { user: userOf(launch), at: deps.clock().toISOString() };
  await deps.cases.saveDraft(draft.case.id, (before) => {
    const edits: Record<string, unknown> = { ...before.edits };
    for (const target of pharmacyTargets) {
      if (fields[target] === draft.chartValues.get(target)) delete edits[target];
      else edits[target] = fields[target] ?? null;
    }
    return { edits, enteredBy: enteredByOf(before, { edits, answers: before.answers }, by) };
  });
}

/** The number of pharmacies that are offered as buttons; the search finds the others. */
const mostLikely = 4;

/**
 * Pharmacies to offer if the request has none: first those of the chart's other orders, then those that the practice
 * used. Only orders that have a pharmacy are read.
 */
export async function likelyPharmacies(
  deps: Deps,
  visit: Pick<Visit, 'launch'>,
  { values, pull, case: one, kind }: Pick<Draft, 'values' | 'pull' | 'case' | 'kind'>,
): Promise<readonly FoundPharmacy[]> {
  if (kind !== 'prior-auth' || (values.get('pharmacy.name') ?? '') !== '') return [];
  const named = cached(pull, { name: 'pharmacies', by: JSON.stringify(visit.launch.site), now: deps.clock() }, () => {
    const entries = pull.entries.filter(({ resource }) => !isOrderWithoutPharmacy(resource));
    return ofChart(deps, visit, { ...pull, entries });
  });
  return (await amongPharmacies(deps, named, one.site, '')).slice(0, mostLikely);
}

function isOrderWithoutPharmacy(resource: unknown): boolean {
  const order = Order.safeParse(resource).data;
  return order !== undefined && order.dispenseRequest?.performer === undefined;
}

const Order = z.object({
  resourceType: z.literal('MedicationRequest'),
  dispenseRequest: z.object({ performer: z.unknown().optional() }).optional(),
});

/** Identifies a pharmacy by all its fields. Case, spaces and punctuation are ignored. */
export function keyOf(fields: Readonly<Record<string, string>>): string {
  return pharmacyTargets
    .map((target) => (fields[target] ?? '').toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, ''))
    .join('|');
}

/** The pharmacy in a body, by target; undefined if there is none. */
export function pharmacyIn(values: ReadonlyMap<string, unknown>): Record<string, string> | undefined {
  const fields = pharmacyTargets.flatMap((target) => {
    const value = values.get(target);
    return value === undefined ? [] : [[target, String(value)] as const];
  });
  return values.has('pharmacy.name') ? Object.fromEntries(fields) : undefined;
}

function ofChart(deps: Deps, { launch }: Pick<Visit, 'launch'>, pull: Draft['pull']): FoundPharmacy[] {
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
  const address = addressText((part) => fields[`pharmacy.address.${part}`]?.trim().replace(/\s+/g, ' '));
  const others = pharmacyTargets.filter((leaf) => leaf !== 'pharmacy.name' && !leaf.startsWith('pharmacy.address.'));
  return { name, detail: joinedAddress(', ', address, ...others.map((leaf) => fields[leaf])), note, fields };
}
