import type { Address, ContactPoint, HumanName, Identifier, Patient } from 'fhir/r4.js';
import { hasCode } from '../fhir/concept.ts';
import type { Located } from '../fhir/graph.ts';
import { meaningful } from '../fhir/placeholder.ts';
import { standing } from '../fhir/time/standing.ts';
import type { Today } from '../fhir/time/today.ts';
import type { Gap } from '../mapping/result.ts';
import type { Candidate } from '../roles/chart.ts';
import { type Decision, emptyRoot, look, nodeAt, rootOf, type Scene } from '../roles/scene.ts';

/** The patient, the one name, the one address, and the contact points that are current. */
export function choosePatient({ patient, today, site }: Scene): Decision {
  if (patient === undefined) return { roots: {}, warnings: ['The Patient resource is not among the resources.'] };
  const name = pickName(patient, patient.resource.name ?? [], today);
  const address = pickAddress(patient, patient.resource.address ?? [], today, [
    'home',
    undefined,
    'temp',
    'work',
    'billing',
  ]);
  const contacts = currentContacts(patient, patient.resource.telecom ?? [], today, [
    'mobile',
    'home',
    undefined,
    'work',
    'temp',
  ]);
  const { merged, warning } = mergedAway(patient.resource);
  return {
    roots: {
      patient: rootOf([nodeAt(patient, patient.resource)]),
      name: name.root,
      address: address.root,
      contact: rootOf(contacts.map((contact) => contact.node)),
    },
    choices: [
      {
        role: 'name',
        ...(name.chosen === undefined ? {} : { chosen: name.chosen }),
        reason: name.reason,
        candidates: name.candidates,
      },
      {
        role: 'address',
        ...(address.chosen === undefined ? {} : { chosen: address.chosen }),
        reason: address.reason,
        candidates: address.candidates,
      },
    ],
    questions: [
      ...merged,
      ...recordNumbers(patient.resource, site.mrnSystem, today),
      ...rivals(
        name,
        'patient.last_name',
        'The chart has several current names of the same standing; the first is used.',
      ),
      ...rivals(
        address,
        'patient.address',
        'The chart has several current addresses of the same standing; the first is used.',
      ),
    ],
    ...(warning === undefined ? {} : { warnings: [warning] }),
  };
}

/** One of several elements, with why the others were not taken. */
export interface Picked {
  readonly root: ReturnType<typeof rootOf>;
  readonly chosen?: string;
  readonly reason: string;
  readonly candidates: readonly Candidate[];
  /** Others that would have done as well and say something else. */
  readonly rivals: number;
}

/** The current name: official over usual over unmarked over temporary; ended, old, maiden and masked ones are not names to send. */
export function pickName(owner: Located, names: readonly HumanName[], today: Today): Picked {
  const uses: readonly (string | undefined)[] = ['official', 'usual', undefined, 'temp', 'nickname'];
  return pick(owner, 'name', names, {
    refusal: (name) => {
      if (standing(name.period, today) !== 'current')
        return `its period is ${standing(name.period, today) === 'ended' ? 'over' : 'not begun'}`;
      if (name.use !== undefined && !uses.includes(name.use)) return `its use is ${name.use}`;
      if (meaningful(name.family) === undefined && !name.given?.some((given) => meaningful(given) !== undefined))
        return 'it has neither family nor given name';
      return undefined;
    },
    rank: (name) =>
      uses.indexOf(name.use) +
      (meaningful(name.family) === undefined || !name.given?.some((given) => meaningful(given) !== undefined) ? 10 : 0),
    label: (name) => name.use ?? 'no use',
    sameAs: (name) => JSON.stringify([name.family, name.given]),
    start: (name) => name.period?.start,
  });
}

/** The current address, by the order of uses; ended and old ones, and those of placeholders only, are not addresses to send. */
export function pickAddress(
  owner: Located,
  addresses: readonly Address[],
  today: Today,
  uses: readonly (string | undefined)[],
  path = 'address',
): Picked {
  return pick(owner, path, addresses, {
    refusal: (address) => {
      if (standing(address.period, today) !== 'current')
        return `its period is ${standing(address.period, today) === 'ended' ? 'over' : 'not begun'}`;
      if (!uses.includes(address.use)) return `its use is ${address.use}`;
      if (parts(address).length === 0) return 'it has no line, city, state or postal code';
      return undefined;
    },
    // A mailing-only address comes after a place.
    rank: (address) => uses.indexOf(address.use) + (address.type === 'postal' ? 0.5 : 0),
    label: (address) => address.use ?? 'no use',
    sameAs: (address) => JSON.stringify(parts(address)).toLowerCase(),
    start: (address) => address.period?.start,
  });
}

export interface Contact {
  readonly node: ReturnType<typeof nodeAt>;
  readonly point: ContactPoint;
}

/** Contact points that are current and not old, in the order of uses, then of their rank. */
export function currentContacts(
  owner: Located,
  points: readonly ContactPoint[],
  today: Today,
  uses: readonly (string | undefined)[],
  path = 'telecom',
): Contact[] {
  return points
    .map((point, index) => ({ point, node: nodeAt(owner, point, `${path}[${index}]`) }))
    .filter(
      ({ point }) =>
        meaningful(point.value) !== undefined &&
        standing(point.period, today) === 'current' &&
        uses.includes(point.use),
    )
    .sort(
      (left, right) =>
        uses.indexOf(left.point.use) - uses.indexOf(right.point.use) ||
        (left.point.rank ?? 99) - (right.point.rank ?? 99),
    );
}

/** true when the identifier may be used: not old and not ended. */
export function isCurrentIdentifier(identifier: Identifier, today: Today): boolean {
  return identifier.use !== 'old' && standing(identifier.period, today) !== 'ended';
}

interface Picking<Item> {
  readonly refusal: (item: Item) => string | undefined;
  readonly rank: (item: Item) => number;
  readonly label: (item: Item) => string;
  readonly sameAs: (item: Item) => string;
  readonly start: (item: Item) => string | undefined;
}

function pick<Item>(owner: Located, path: string, items: readonly Item[], how: Picking<Item>): Picked {
  const all = items.map((item, index) => ({ item, index, refusal: how.refusal(item) }));
  const fitting = all
    .filter(({ refusal }) => refusal === undefined)
    .sort(
      (left, right) =>
        how.rank(left.item) - how.rank(right.item) ||
        (how.start(right.item) ?? '').localeCompare(how.start(left.item) ?? '') ||
        left.index - right.index,
    );
  const first = fitting[0];
  const where = (index: number) => `${owner.reference}#${path}[${index}]`;
  const candidates = all.map(({ item, index, refusal }) => ({
    reference: where(index),
    label: how.label(item),
    fits: refusal === undefined,
    reason:
      refusal ?? (index === first?.index ? 'current, and its use comes first' : 'current; another use comes first'),
  }));
  if (first === undefined) {
    const steps = [
      [owner.resource.resourceType, 1],
      [path, items.length],
      ['current and not a placeholder', 0],
    ] as const;
    return {
      root: emptyRoot(look(`%${owner.resource.resourceType.toLowerCase()}.${path}`, steps)),
      reason: items.length === 0 ? 'the chart has none' : 'none can be used',
      candidates,
      rivals: 0,
    };
  }
  const others = fitting.slice(1);
  const rivals = others.filter(
    ({ item }) =>
      how.rank(item) === how.rank(first.item) &&
      how.sameAs(item) !== how.sameAs(first.item) &&
      how.start(item) === how.start(first.item),
  ).length;
  const reason =
    fitting.length === 1
      ? 'the only one that is current'
      : `${how.label(first.item)} comes before the ${fitting.length - 1} other current ones`;
  return {
    root: rootOf([nodeAt(owner, first.item, `${path}[${first.index}]`)]),
    chosen: where(first.index),
    reason,
    candidates,
    rivals,
  };
}

function parts(address: Address): string[] {
  return [...(address.line ?? []), address.city, address.state, address.postalCode].flatMap(
    (part) => meaningful(part) ?? [],
  );
}

function rivals(picked: Picked, target: string, message: string): Gap[] {
  return picked.rivals === 0 ? [] : [{ target, severity: 'warns', reason: 'advice', message, looks: [] }];
}

// The mapping takes the first by the site's system, else by type MR; that there is another one, or that it is over, is told.
function recordNumbers({ identifier = [] }: Patient, system: string | undefined, today: Today): Gap[] {
  const usable = identifier.filter(({ use, value }) => use !== 'old' && meaningful(value) !== undefined);
  const ofSite = system === undefined ? [] : usable.filter((one) => one.system === system);
  const numbers = ofSite.length > 0 ? ofSite : usable.filter(({ type }) => hasCode(type, 'MR'));
  const [first] = numbers;
  if (first === undefined) return [];
  const told: string[] = [];
  if (!isCurrentIdentifier(first, today)) told.push('The period of the record number is over.');
  if (new Set(numbers.map(({ value }) => value?.trim())).size > 1)
    told.push('The chart has several record numbers; the first is used.');
  const targets = ['patient.internal_id', 'patient.metadata.patient_id'];
  return told.length === 0
    ? []
    : targets.map((target) => ({ target, severity: 'warns', reason: 'advice', message: told.join(' '), looks: [] }));
}

// FHIR R4, Patient.link: replaced-by means this record must no longer be used.
function mergedAway(patient: Patient): { merged: readonly Gap[]; warning?: string } {
  const successor = patient.link?.find((link) => link.type === 'replaced-by');
  if (successor !== undefined) {
    const message = 'This patient record was merged into another one. Open that chart and start from there.';
    return { merged: [{ target: 'patient', severity: 'blocks', reason: 'invalid', message, looks: [] }] };
  }
  return {
    merged: [],
    ...(patient.active === false ? { warning: 'The patient record is marked as not active.' } : {}),
  };
}
