import type { Meta, Resource } from 'fhir/r4.js';
import { hasSameContent } from './same-content.ts';
import { readDateTime } from './time/date-time.ts';

/** The elements that show how recent a resource is. */
export type Version = Pick<Meta, 'versionId' | 'lastUpdated'>;

/**
 * Whether the first of two versions of one resource is certainly newer: by lastUpdated and by numbers in versionId, if
 * both versions have them. false if the two elements contradict each other, or if the versions have neither in common.
 *
 * @example isNewer({ versionId: '3' }, { versionId: '2' }) // true
 */
export function isNewer(left: Version | undefined, right: Version | undefined): boolean {
  const signs = [difference(instantOf(left), instantOf(right)), difference(numberOf(left), numberOf(right))];
  return signs.includes(1) && !signs.includes(-1);
}

/**
 * The current one of several resources with the same name: any of them if all have the same content, or else the one
 * that is newer than all others with different content. Undefined if that is unknown, and then none of them may be
 * used. The result does not depend on the order of the versions.
 */
export function currentVersion<T>(
  versions: readonly T[],
  resourceOf: (version: T) => Resource,
  isSame: (one: T, other: T) => boolean = (one, other) => hasSameContent(resourceOf(one), resourceOf(other)),
): T | undefined {
  const best = versions.reduce((one, other) => (isBefore(resourceOf(other), resourceOf(one)) ? other : one));
  const resource = resourceOf(best);
  const isCurrent = versions.every((other) => {
    const stated = resourceOf(other);
    return stated === resource || isSame(best, other) || isNewer(resource.meta, stated.meta);
  });
  return isCurrent ? best : undefined;
}

function isBefore(left: Resource, right: Resource): boolean {
  const order =
    (instantOf(right.meta) ?? 0) - (instantOf(left.meta) ?? 0) ||
    (numberOf(right.meta) ?? 0) - (numberOf(left.meta) ?? 0);
  return order === 0 ? JSON.stringify(left) < JSON.stringify(right) : order < 0;
}

function difference(left: number | undefined, right: number | undefined): number {
  return left === undefined || right === undefined ? 0 : Math.sign(left - right);
}

function instantOf(version: Version | undefined): number | undefined {
  const read = readDateTime(version?.lastUpdated);
  return read?.precision === 'instant' ? read.instant : undefined;
}

function numberOf(version: Version | undefined): number | undefined {
  const { versionId } = version ?? {};
  return typeof versionId === 'string' && /^\d{1,15}$/.test(versionId) ? Number(versionId) : undefined;
}
