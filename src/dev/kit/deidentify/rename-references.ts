import { isResourceType } from '../../../core/fhir/model/model.ts';
import { isPublicUri } from './public-systems.ts';
import type { StandIns } from './stand-ins.ts';

/** New names for references, URLs of resources, and systems. The same original always gets the same name. */
export interface Renamed {
  /** Returns the new id of a resource, such as `patient-1`. A contained resource with this id gets the same one. */
  readonly id: (type: string, id: string) => string;
  /**
   * Renames `Patient/p9`, absolute and versioned references, `#contained`, `urn:uuid:`, conditional and canonical
   * references, and any other URL or text.
   */
  readonly reference: (reference: string) => string;
  /** Returns the new URI of a code system, an identifier system, a profile or an extension. Public URIs are kept. */
  readonly uri: (uri: string) => string;
}

const toResource =
  /^(https?:\/\/[^?#]{1,300}\/)?([A-Z][A-Za-z]{2,40})\/([A-Za-z0-9.:-]{1,64})(?:\/_history\/([A-Za-z0-9.-]{1,64}))?$/;
const byIdentifier = /^([A-Z][A-Za-z]{2,40})\?identifier=(?:([^|]{0,300})\|)?(.{1,300})$/;
const urn = /^urn:(uuid|oid):(.{1,100})$/;

/** @param idTypes - the types of resources that have this id: `urn:uuid:` may refer to one by its id alone */
export function createRenamed(
  standIns: StandIns,
  idTypes: ReadonlyMap<string, readonly string[]>,
  named: ReadonlySet<string>,
): Renamed {
  const id = (type: string, original: string) => standIns.id(isResourceType(type) ? type : 'Resource', original);
  const uri = (given: string): string => {
    if (given === '' || isPublicUri(given) || named.has(given) || isResourceType(given)) return given;
    if (/^https?:/.test(given)) return standIns.numbered('https://ehr.example.org/systems/', given);
    if (given.startsWith('urn:oid:')) return standIns.numbered('urn:oid:2.999.', given);
    return urn.test(given) ? urnOf(given) : standIns.shape(given);
  };
  // A URN with the id of a resource must still refer to the resource.
  const urnOf = (given: string): string => {
    const [, kind, value = ''] = urn.exec(given) ?? [];
    const types = idTypes.get(value) ?? [];
    if (types.length === 1) return `urn:${kind}:${id(types[0] ?? '', value)}`;
    return kind === 'oid' ? uri(given) : `urn:uuid:${standIns.shape(value)}`;
  };
  const link = (base: string | undefined, type: string, original: string, version: string | undefined) => {
    const at = base === undefined ? '' : `${standIns.numbered('https://ehr.example.org/fhir/r', base)}/`;
    const history = version === undefined ? '' : `/_history/${versionStandIn(standIns, version)}`;
    return `${at}${type}/${id(type, original)}${history}`;
  };
  const reference = (given: string): string => {
    // Surrounding spaces and a trailing slash do not change what a reference refers to.
    const bare = given.trim().replace(/\/$/, '');
    const at = given.indexOf(bare);
    return `${given.slice(0, at)}${renamed(bare)}${given.slice(at + bare.length)}`;
  };
  const renamed = (given: string): string => {
    if (given === '#' || isPublicUri(given)) return given;
    if (given.startsWith('#')) return `#${standIns.id('Contained', given.slice(1))}`;
    const [, base, type = '', original, version] = toResource.exec(given) ?? [];
    if (original !== undefined && isResourceType(type)) return link(base, type, original, version);
    const [, searched = '', system, value] = byIdentifier.exec(given) ?? [];
    if (value !== undefined && isResourceType(searched))
      return `${searched}?identifier=${system === undefined ? '' : `${uri(system)}|`}${standIns.shape(value)}`;
    if (urn.test(given)) return urnOf(given);
    return uri(given);
  };
  return { id, reference, uri };
}

/** Small version numbers are kept, since they only show which version is newer. */
export function versionStandIn(standIns: StandIns, version: string): string {
  return /^\d{1,3}$/.test(version) ? version : standIns.shape(version);
}
