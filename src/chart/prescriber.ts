import type { Address, ContactPoint, Identifier, Practitioner, PractitionerRole } from 'fhir/r4.js';
import { hasCode } from '../fhir/concept.ts';
import type { Located } from '../fhir/graph.ts';
import { isNpi } from '../fhir/npi.ts';
import { standing } from '../fhir/period.ts';
import { meaningful } from '../fhir/placeholder.ts';
import { systems } from '../fhir/systems.ts';
import type { Gap } from '../mapping/result.ts';
import { type Decision, emptyRoot, look, nodeAt, rootOf, type Scene } from '../roles/scene.ts';
import { currentContacts, isCurrentIdentifier, pickAddress, pickName } from './patient.ts';

/** Practitioner, PractitionerRole and practice of the order's requester, with the one name, NPI, address and the contact points to send. */
export function choosePrescriber(scene: Scene): Decision {
  const { order, now } = scene;
  const requester = scene.resolve(
    order.resource.requester,
    order,
    'Practitioner',
    'PractitionerRole',
    'Patient',
    'RelatedPerson',
    'Organization',
    'Device',
  );
  const role = roleOf(scene, requester);
  const practitioner = practitionerOf(scene, requester, role);
  if (practitioner === undefined) return noPrescriber(scene, requester);
  const practice = practiceOf(scene, role);
  const name = pickName(practitioner, practitioner.resource.name ?? [], now);
  const npi = pickNpi(practitioner, now);
  const address = pickPracticeAddress(scene, practitioner, practice);
  return {
    roots: {
      prescriber: rootOf([nodeAt(practitioner, withOwnId(practitioner))]),
      prescriberName: name.root,
      prescriberNpi: npi.root,
      prescriberAddress: address.root,
      prescriberContact: rootOf(contactsOf(scene, practitioner, role, practice)),
      prescriberRole: role === undefined ? emptyRoot() : rootOf([nodeAt(role, role.resource)]),
      practice: rootOf(practice.map((place) => nodeAt(place, place.resource))),
    },
    choices: [
      {
        role: 'prescriber',
        chosen: practitioner.reference,
        reason: role === undefined ? 'the order’s requester' : `the order’s requester, with ${role.reference}`,
        candidates: [],
      },
      {
        role: 'prescriberAddress',
        ...(address.chosen === undefined ? {} : { chosen: address.chosen }),
        reason: address.reason,
        candidates: [],
      },
    ],
    questions: [...npi.questions, ...address.questions],
    warnings: practitioner.resource.active === false ? [`${practitioner.reference} is marked as not active.`] : [],
  };
}

// The id of a contained resource counts inside its container only: sent as the practice's number, it would make one of all that are called #pr.
function withOwnId({ resource, reference }: Located<Practitioner>): Practitioner {
  return reference.includes(' in ') ? { ...resource, id: undefined } : resource;
}

type Place = Located<Extract<Located['resource'], { resourceType: 'Location' | 'Organization' }>>;

// Through the requester itself, else the only role that the chart has of this practitioner: two would be a guess.
function roleOf(scene: Scene, requester: Located | undefined): Located<PractitionerRole> | undefined {
  if (requester?.resource.resourceType === 'PractitionerRole')
    return { resource: requester.resource, reference: requester.reference };
  if (requester?.resource.resourceType !== 'Practitioner') return undefined;
  const roles = scene
    .all('PractitionerRole')
    .filter(
      (role) =>
        role.resource.active !== false &&
        standing(role.resource.period, scene.now) === 'current' &&
        scene.resolve(role.resource.practitioner, role, 'Practitioner')?.reference === requester.reference,
    );
  return roles.length === 1 ? roles[0] : undefined;
}

function practitionerOf(
  scene: Scene,
  requester: Located | undefined,
  role: Located<PractitionerRole> | undefined,
): Located<Practitioner> | undefined {
  if (requester?.resource.resourceType === 'Practitioner')
    return { resource: requester.resource, reference: requester.reference };
  return role === undefined ? undefined : scene.resolve(role.resource.practitioner, role, 'Practitioner');
}

function noPrescriber(scene: Scene, requester: Located | undefined): Decision {
  const stated = scene.order.resource.requester;
  const refused = requester === undefined ? undefined : `${requester.resource.resourceType} is not a prescriber`;
  const steps = [
    ['MedicationRequest', 1],
    ['requester', stated === undefined ? 0 : 1],
    ['resolve()', requester === undefined ? 0 : 1],
    ['ofType(Practitioner)', 0],
  ] as const;
  const none = emptyRoot(look('%order.requester.resolve()', steps, refused));
  return {
    roots: { prescriber: none, prescriberName: none, prescriberNpi: none },
    choices: [
      {
        role: 'prescriber',
        reason:
          refused ?? (stated === undefined ? 'the order names no requester' : 'the requester is not in the chart'),
        candidates: [],
      },
    ],
  };
}

function practiceOf(scene: Scene, role: Located<PractitionerRole> | undefined): Place[] {
  if (role === undefined) return [];
  const locations = (role.resource.location ?? []).flatMap(
    (reference) => scene.resolve(reference, role, 'Location') ?? [],
  );
  const organization = scene.resolve(role.resource.organization, role, 'Organization');
  return [...locations, ...(organization === undefined ? [] : [organization])];
}

// NPI by system first, then by a type that says NPI: Epic keeps it under an OID of its own with type.text "NPI".
function pickNpi(
  practitioner: Located<Practitioner>,
  now: Date,
): { root: ReturnType<typeof rootOf>; questions: readonly Gap[] } {
  const identifiers = (practitioner.resource.identifier ?? [])
    .map((identifier, index) => ({ identifier, index }))
    .filter(({ identifier }) => isCurrentIdentifier(identifier, now));
  const bySystem = identifiers.filter(({ identifier }) => isNpiSystem(identifier.system));
  const byType = identifiers.filter(({ identifier }) => saysNpi(identifier));
  const found = (bySystem.length > 0 ? bySystem : byType).filter(
    ({ identifier }) => meaningful(identifier.value) !== undefined,
  );
  const values = [...new Set(found.map(({ identifier }) => identifier.value?.trim() ?? ''))];
  const wellFormed = values.filter(isNpi);
  const [first] = found.filter(
    ({ identifier }) => wellFormed.length === 0 || wellFormed.includes(identifier.value?.trim() ?? ''),
  );
  if (wellFormed.length > 1) {
    const options = wellFormed.map((value) => ({
      value,
      label: value,
      reason: 'an NPI of the prescriber in the chart',
    }));
    return {
      root: emptyRoot(),
      questions: [
        {
          target: 'provider.npi',
          severity: 'blocks',
          reason: 'choice',
          message: 'The prescriber has several NPIs.',
          looks: [],
          options,
        },
      ],
    };
  }
  if (first === undefined) {
    const steps = [
      ['Practitioner', 1],
      ['identifier', practitioner.resource.identifier?.length ?? 0],
      ['where(system = %npi or type says NPI)', 0],
    ] as const;
    return { root: emptyRoot(look('%prescriber.identifier', steps)), questions: [] };
  }
  return { root: rootOf([nodeAt(practitioner, first.identifier, `identifier[${first.index}]`)]), questions: [] };
}

function isNpiSystem(system: string | undefined): boolean {
  return system === systems.npi || system === 'urn:oid:2.16.840.1.113883.4.6';
}

function saysNpi(identifier: Identifier): boolean {
  return hasCode(identifier.type, 'NPI') || identifier.type?.text?.trim().toUpperCase() === 'NPI';
}

const addressUses = ['work', undefined, 'temp', 'billing', 'home'] as const;

// One whole address from one place: its parts are never mixed.
function pickPracticeAddress(
  scene: Scene,
  practitioner: Located<Practitioner>,
  practice: readonly Place[],
): { root: ReturnType<typeof rootOf>; chosen?: string; reason: string; questions: readonly Gap[] } {
  const sources: { owner: Located; addresses: readonly Address[]; path: (index: number) => string }[] = [
    { owner: practitioner, addresses: practitioner.resource.address ?? [], path: (index) => `address[${index}]` },
    ...practice.map((place) => ({
      owner: place,
      addresses: addressesOf(place),
      path: (index: number) => (place.resource.resourceType === 'Location' ? 'address' : `address[${index}]`),
    })),
  ];
  for (const { owner, addresses, path } of sources) {
    const picked = pickAddress(owner, addresses, scene.now, addressUses);
    const address = picked.root.nodes[0]?.value as Address | undefined;
    if (address === undefined) continue;
    const root = rootOf([nodeAt(owner, address, path(addresses.indexOf(address)))]);
    const home: Gap = {
      target: 'provider.address',
      severity: 'warns',
      reason: 'advice',
      message: 'The prescriber’s address is marked as a home address.',
      looks: [],
    };
    return {
      root,
      chosen: owner.reference,
      reason: `the first of prescriber, location and organization with an address`,
      questions: address.use === 'home' ? [home] : [],
    };
  }
  return { root: emptyRoot(), reason: 'neither the prescriber nor the practice has an address', questions: [] };
}

function addressesOf(place: Place): readonly Address[] {
  if (place.resource.resourceType === 'Organization') return place.resource.address ?? [];
  return place.resource.address === undefined ? [] : [place.resource.address];
}

// A private number comes after every number of the practice, but before none.
function contactsOf(
  scene: Scene,
  practitioner: Located<Practitioner>,
  role: Located<PractitionerRole> | undefined,
  practice: readonly Place[],
): ReturnType<typeof nodeAt>[] {
  const owners: { owner: Located; telecom: readonly ContactPoint[] }[] = [
    { owner: practitioner, telecom: practitioner.resource.telecom ?? [] },
    ...(role === undefined ? [] : [{ owner: role, telecom: role.resource.telecom ?? [] }]),
    ...practice.map((place) => ({ owner: place, telecom: place.resource.telecom ?? [] })),
  ];
  const contacts = owners.flatMap(({ owner, telecom }) =>
    currentContacts(owner, telecom, scene.now, ['work', undefined, 'temp', 'mobile', 'home']),
  );
  const isPrivate = (use: string | undefined) => use === 'home' || use === 'mobile';
  return [
    ...contacts.filter(({ point }) => !isPrivate(point.use)),
    ...contacts.filter(({ point }) => isPrivate(point.use)),
  ].map(({ node }) => node);
}
