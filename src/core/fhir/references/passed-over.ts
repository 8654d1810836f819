import { canonicalReference } from '../address.ts';
import type { OwnServer } from './own-server.ts';

export interface AtServer {
  /** `Practitioner/1` */
  readonly name: string;
  readonly base: string | undefined;
}

/**
 * The sentence about a reference that does not resolve, because the resource of that name belongs to another server.
 */
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
