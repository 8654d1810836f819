import { baseOf, serverOf } from '../core/fhir/address.ts';
import { OwnServer } from '../core/fhir/references/own-server.ts';
import { ownerText, type Slot } from './slot.ts';

/** The servers that the resources of a pool are at, and how their keys are spelled. */
export interface Servers {
  /** Of resources without an address; undefined where none is named, so that each chart tells it for itself. */
  readonly own: OwnServer | undefined;
  /** Two bases of one server are the same; where no server is named, any base is that of what states none. */
  readonly compared: OwnServer;
  /** A key as the pool spells it: without the own server’s base, and one base for each other server. */
  readonly spelled: (key: string) => string;
}

export function serversOf(slots: readonly Slot[]): Servers {
  const bases = new Set(slots.flatMap((slot) => [slot.base, baseOf(ownerText(slot))]));
  bases.delete(undefined);
  return serversFrom([...bases] as string[]);
}

/** `bases`: the base URLs that the addresses of a pool name, in any order. */
export function serversFrom(bases: readonly string[]): Servers {
  const compared = new OwnServer(() => bases);
  return { own: bases.length === 0 ? undefined : compared, compared, spelled: spelling(bases, compared) };
}

/** Whether what stands at two base URLs may be of one server: where several are named, what has none is of any. */
export function isOneServer(
  one: string | undefined,
  other: string | undefined,
  { compared }: Pick<Servers, 'compared'>,
): boolean {
  const isOpen = one === undefined || other === undefined;
  return (isOpen && compared.several.length > 0) || compared.isSame(one, other);
}

function spelling(bases: readonly string[], own: OwnServer): (key: string) => string {
  // the longest first: one base may begin another
  const prefixes = bases
    .map((base) => ({ prefix: `${base}/`, spelled: own.isSame(base, undefined) ? '' : `${serverOf(base)}/` }))
    .sort((one, other) => other.prefix.length - one.prefix.length);
  return (key) => {
    for (const { prefix, spelled } of prefixes)
      if (key.startsWith(prefix)) return `${spelled}${key.slice(prefix.length)}`;
    return own.spelled(key);
  };
}
