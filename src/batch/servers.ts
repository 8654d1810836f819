import { baseOf, serverOf } from '../core/fhir/address.ts';
import { OwnServer } from '../core/fhir/references/own-server.ts';
import { ownerText, type Slot } from './slot.ts';

/** The servers of a pool's resources, and how the pool spells keys. */
export interface Servers {
  /** The server of resources without a URL; undefined if none is known, so that each chart finds its own. */
  readonly own: OwnServer | undefined;
  /** Two base URLs of one server count as equal. If no server is known, resources without a base match any base. */
  readonly compared: OwnServer;
  /** Returns the pool's spelling of a key: without the own server's base, and with one base for each other server. */
  readonly spelled: (key: string) => string;
}

export function serversOf(slots: readonly Slot[]): Servers {
  const bases = new Set(slots.flatMap((slot) => [slot.base, baseOf(ownerText(slot))]));
  bases.delete(undefined);
  return serversFrom([...bases] as string[]);
}

/** `bases`: the base URLs in a pool, in any order. */
export function serversFrom(bases: readonly string[]): Servers {
  const compared = new OwnServer(() => bases);
  return { own: bases.length === 0 ? undefined : compared, compared, spelled: spelling(bases, compared) };
}

/** Whether two base URLs may be of one server. If several are known, a missing base may be any of them. */
export function isOneServer(
  one: string | undefined,
  other: string | undefined,
  { compared }: Pick<Servers, 'compared'>,
): boolean {
  const isOpen = one === undefined || other === undefined;
  return (isOpen && compared.several.length > 0) || compared.isSame(one, other);
}

function spelling(bases: readonly string[], own: OwnServer): (key: string) => string {
  // longest first, since a base may be the prefix of another
  const prefixes = bases
    .map((base) => ({ prefix: `${base}/`, spelled: own.isSame(base, undefined) ? '' : `${serverOf(base)}/` }))
    .sort((one, other) => other.prefix.length - one.prefix.length);
  return (key) => {
    for (const { prefix, spelled } of prefixes)
      if (key.startsWith(prefix)) return `${spelled}${key.slice(prefix.length)}`;
    return own.spelled(key);
  };
}
