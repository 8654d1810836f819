import { canonicalReference } from '../address.ts';
import type { OwnServer } from './own-server.ts';

/** A resource and its server. */
export interface AtServer {
  /** `Practitioner/1` */
  readonly name: string;
  readonly base: string | undefined;
}

/** The sentence about a reference for which only another server has a resource of the target's name. */
export function passedOverText(
  holder: AtServer,
  reference: string,
  namesake: AtServer,
  own: OwnServer | undefined,
): string {
  const stated = canonicalReference(reference, holder.base);
  const where = whereText(namesake, own);
  return `${holder.name} refers to ${stated}; the ${namesake.name} that is here is ${where} and was not used.`;
}

/** The server of a resource, in words that follow “is”. */
export function whereText({ base }: Pick<AtServer, 'base'>, own: OwnServer | undefined): string {
  if (base !== undefined) return `at ${base}`;
  const several = own?.several ?? [];
  return several.length === 0
    ? 'at another server'
    : `without an address, and the input names several servers (${several.join(', ')})`;
}
