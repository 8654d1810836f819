import { BridgeError } from '../../errors.ts';
import type { Roles } from '../input.ts';
import { isWithin } from '../target.ts';
import type { Plan, PlannedLeaf } from './plan.ts';

export interface QuestionPlace {
  /** The leaf, list or part that the question is about. */
  readonly target: string;
  /** The leaves that read the part in question; filling in any of them answers the question. */
  readonly leaves: readonly string[];
}

/** The part of a question that determines its place. */
export interface AskedOf {
  readonly role: string;
  readonly part?: string;
}

/**
 * The place in a body of a question about a role (and part); undefined when no leaf reads it.
 *
 * - The question belongs to the leaves that read `%role`. A question about a part belongs to those whose members under
 *   the role begin with the part, or else to those that read something around the part. If no leaf reads the role
 *   directly, the question belongs to the leaves of the roles that depend on it.
 * - With several leaves, the place is the smallest part that contains them all. If only the whole body contains them
 *   all, the place is the part of the body with most of them (on a tie, the part of which they are the larger share).
 * - The place is then extended to the part around it, as long as every leaf there that is read from the chart depends
 *   on the role (for a part of a role: reads that part).
 *
 * @example placeOfQuestion(plan, roles, { role: 'drug', part: 'strength' })?.target // 'prescription.strength'
 * @example placeOfQuestion(plan, roles, { role: 'coverage' })?.target // 'insurance_content'
 */
export function placeOfQuestion(plan: Plan, roles: Roles | undefined, asked: AskedOf): QuestionPlace | undefined {
  const leaves = readersOf(plan, roles, asked);
  if (leaves.length === 0) return undefined;
  const part = asked.part?.split('.');
  const belongs = (leaf: PlannedLeaf) =>
    part === undefined || !isRead(plan, asked.role)
      ? dependsOn(leaf, asked.role, roles)
      : readsPart(leaf, asked.role, part);
  const held = leaves.map(({ target }) => target);
  return { target: grown(smallestPartOf(held, plan), plan, belongs), leaves: held };
}

/**
 * Throws `mapping_invalid`, with role and part, if a role of this mapping can ask a blocking question and no leaf reads
 * it.
 */
export function checkQuestions(mapping: string, plan: Plan, roles: Roles): void {
  const unknown = plan.roles.find((role) => !roles.has(role));
  if (unknown !== undefined)
    throw new BridgeError('mapping_invalid', { mapping, variable: `%${unknown}`, reason: 'there is no such role' });
  const filled = new Set(plan.roles.flatMap((role) => [...roles.dependsOn(role)]));
  for (const role of filled)
    for (const { part, severity } of roles.questions(role)) {
      const asked = part === undefined ? { role } : { role, part };
      if (severity === 'blocks' && placeOfQuestion(plan, roles, asked) === undefined)
        throw new BridgeError('mapping_invalid', {
          mapping,
          role,
          ...(part === undefined ? {} : { part }),
          reason: 'no leaf takes this blocking question',
        });
    }
}

function readersOf(plan: Plan, roles: Roles | undefined, { role, part }: AskedOf): readonly PlannedLeaf[] {
  if (!isRead(plan, role)) return plan.leaves.filter((leaf) => dependsOn(leaf, role, roles));
  const members = part?.split('.');
  if (members === undefined) return plan.leaves.filter((leaf) => reads(leaf, role));
  const exact = plan.leaves.filter((leaf) => readsPart(leaf, role, members));
  return exact.length > 0 ? exact : plan.leaves.filter((leaf) => readsAround(leaf, role, members));
}

function isRead(plan: Plan, role: string): boolean {
  return plan.roles.includes(role);
}

function reads(leaf: PlannedLeaf, role: string): boolean {
  return leaf.reads.some((read) => read.role === role);
}

function readsPart(leaf: PlannedLeaf, role: string, part: readonly string[]): boolean {
  return leaf.reads.some((read) => read.role === role && isStartOf(part, read.members));
}

// `%supply.quantity` as a whole contains `quantity.value`; `%drug` as a whole contains its strength.
function readsAround(leaf: PlannedLeaf, role: string, part: readonly string[]): boolean {
  return leaf.reads.some((read) => read.role === role && isStartOf(read.members, part));
}

function isStartOf(start: readonly string[], whole: readonly string[]): boolean {
  return start.length <= whole.length && start.every((name, index) => name === whole[index]);
}

function dependsOn(leaf: PlannedLeaf, role: string, roles: Roles | undefined): boolean {
  return leaf.reads.some((read) => read.role === role || roles?.dependsOn(read.role).has(role) === true);
}

function smallestPartOf(targets: readonly string[], plan: Plan): string {
  const tops = Map.groupBy(targets, topOf);
  const all = Map.groupBy(plan.leaves, ({ target }) => topOf(target));
  const [most] = [...tops].toSorted(
    ([left, ones], [right, others]) =>
      others.length - ones.length || (all.get(left)?.length ?? 0) - (all.get(right)?.length ?? 0),
  );
  return (most?.[1] ?? targets).reduce(commonPart);
}

function topOf(target: string): string {
  return target.split('.')[0] ?? target;
}

function commonPart(one: string, other: string): string {
  const [left, right] = [one.split('.'), other.split('.')];
  const differs = left.findIndex((key, index) => key !== right[index]);
  return (differs === -1 ? left : left.slice(0, differs)).join('.');
}

function grown(target: string, plan: Plan, belongs: (leaf: PlannedLeaf) => boolean): string {
  const around = target.slice(0, Math.max(0, target.lastIndexOf('.')));
  if (around === '') return target;
  const inside = plan.leaves.filter((leaf) => isWithin(leaf.target, around) && isOfChart(leaf));
  return inside.every(belongs) ? grown(around, plan, belongs) : target;
}

const ofNoChart = ['site', 'submission'];

function isOfChart(leaf: PlannedLeaf): boolean {
  return leaf.reads.some(({ role }) => !ofNoChart.includes(role));
}
