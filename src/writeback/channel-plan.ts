import type { CapabilityStatement, CapabilityStatementRestResource } from 'fhir/r4.js';
import type { Site } from '../config/config.ts';
import type { Preset } from '../config/presets/preset.ts';
import type { WriteChannel } from '../config/write-channels.ts';
import { grants, type Interaction, scopeList } from '../core/fhir/scopes.ts';
import type { LedgerEntry, WrittenKind } from './ledger.ts';

/** The resource types that the bridge may write. */
export type Writable = 'Task' | 'DocumentReference' | 'Communication' | 'Provenance';

/** What the EHR allows for one resource type. */
export interface Reach {
  /**
   * How to search for a resource of the bridge. `target`: for a Provenance, which has no identifier. `none`: the EHR
   * offers or grants no search.
   */
  readonly search: 'identifier' | 'patient' | 'target' | 'none';
  readonly read: boolean;
  /** Updating, patching and deleting need read access too. */
  readonly update: boolean;
  readonly patch: boolean;
  readonly delete: boolean;
  readonly conditionalCreate: boolean;
}

/** What the EHR allows for a type, and why a new resource cannot be created; without `reason` it can. */
export interface ChannelStep {
  readonly type: Writable;
  readonly reach: Reach;
  readonly reason?: string;
}

/**
 * Returns the step for the EHR's capabilities and the granted scopes. `refused`: why the EHR refused operations that it
 * advertises, by type (`Task`) for creating, by type and operation (`Task.update`) for updating and searching. `preset`
 * says whether the EHR stores the identifiers that the bridge searches for.
 */
export function channelStep(
  type: Writable,
  statement: CapabilityStatement,
  scopes: readonly string[],
  refused: ReadonlyMap<string, string>,
  preset?: Preset,
): ChannelStep {
  const stated = statement.rest
    ?.find((rest) => rest.mode === 'server')
    ?.resource?.find((resource) => resource.type === type);
  const may = (code: string, scope: Interaction) => offers(stated, code) && grants(scopes, type, scope);
  const mayChange = (code: string, scope: Interaction) =>
    may('read', 'r') && may(code, scope) && !refused.has(`${type}.${code}`);
  const reason = refused.get(type) ?? noCreate(type, stated, scopes);
  return {
    type,
    ...(reason === undefined ? {} : { reason }),
    reach: {
      search: refused.has(`${type}.search`)
        ? 'none'
        : searchOf(type, stated, grants(scopes, type, 's'), preset?.search.byIdentifier !== false),
      read: may('read', 'r'),
      update: mayChange('update', 'u'),
      patch: mayChange('patch', 'u'),
      delete: mayChange('delete', 'd'),
      conditionalCreate: stated?.conditionalCreate === true,
    },
  };
}

/**
 * Returns the steps of a site's channels: the Task wherever it is listed, and the carriers of the outcome in order.
 * Channels after `worklist` are never tried, since `worklist` leaves the outcome on the case page.
 */
export function channelPlan(
  channels: readonly WriteChannel[],
  stepTo: (type: Writable) => ChannelStep,
  preset?: Preset,
): { readonly task: ChannelStep; readonly carriers: readonly ChannelStep[] } {
  const listed = tried(channels);
  const task = stepTo('Task');
  const types = [
    ...new Set(listed.map((channel) => (channel === 'communication' ? 'Communication' : 'DocumentReference'))),
  ];
  return {
    task: listed.includes('task+document') ? task : { ...task, reason: notAsked('Task', preset) },
    carriers: types.map((type) => stepTo(type)),
  };
}

/** Why letters are skipped if the site's first channel is the worklist. */
export const writesNothing = 'this site writes nothing to the chart';
/** Tells people where to find a letter that no channel accepts. */
export const onCasePage = 'the letter is on the case page';

/**
 * Whether to write a Provenance for each written resource. Provenance has no channel, so a scope of the site must name
 * it. A wildcard scope is not enough.
 */
export function asksProvenance({ scopes, writeback }: Pick<Site, 'scopes' | 'writeback'>): boolean {
  const asked = [scopes, writeback.system?.scopes].flatMap((each) => scopeList(each ?? ''));
  const named = asked.filter((scope) => scope.includes('/Provenance.'));
  return tried(writeback.channels).length > 0 && grants(named, 'Provenance', 'c');
}

/** Whether the site's channels include this kind of resource. */
export function isAsked(what: WrittenKind, channels: readonly WriteChannel[]): boolean {
  const listed = tried(channels);
  if (what === 'task' || what === 'closing-task') return listed.includes('task+document');
  if (what === 'communication') return listed.includes('communication');
  if (what === 'provenance') return false;
  return what === 'double' || listed.some((channel) => channel !== 'communication');
}

/**
 * Says why no resource of this type is created: the EHR lets no app create one, or no channel of the site names the
 * type.
 */
export function notAsked(type: Writable, preset: Preset | undefined): string {
  const isRefused = preset?.may[type].includes('c') === false;
  return isRefused ? `${preset.name} lets no app create a ${type}` : `the site asks for no ${type}`;
}

/** Reasons that are the same for every request of a site or EHR, or that mean that another channel is used. */
const asEver = [
  /^the EHR offers no [A-Za-z]+\.create$/,
  / lets no app create a [A-Za-z]+$/,
  /^the site asks for no [A-Za-z]+$/,
  new RegExp(`^${writesNothing}$`),
  new RegExp(`^${onCasePage}$`),
  /^it goes as a (message|document)$/,
  / has changed since$/,
  /^the request did not arrive$/,
];

/**
 * Whether a row is a failed write. A row is no failure if it was skipped because this EHR never accepts it, the site
 * does not want it, or a newer version replaces it.
 */
export function isFailure({ state, reason = '' }: LedgerEntry): boolean {
  if (state === 'failed') return true;
  return state === 'skipped' && !reason.split('; ').every((part) => asEver.some((each) => each.test(part)));
}

/** The channels before `worklist`. */
export function tried(channels: readonly WriteChannel[]): readonly WriteChannel[] {
  return channels.includes('worklist') ? channels.slice(0, channels.indexOf('worklist')) : channels;
}

function noCreate(
  type: Writable,
  stated: CapabilityStatementRestResource | undefined,
  scopes: readonly string[],
): string | undefined {
  if (!offers(stated, 'create')) return `the EHR offers no ${type}.create`;
  return grants(scopes, type, 'c') ? undefined : `no scope ${type}.c`;
}

function searchOf(
  type: Writable,
  stated: CapabilityStatementRestResource | undefined,
  granted: boolean,
  byIdentifier: boolean,
): Reach['search'] {
  if (!granted || !offers(stated, 'search-type')) return 'none';
  const isNamed = (name: string) => stated?.searchParam?.some((parameter) => parameter.name === name) === true;
  if (type === 'Provenance') return isNamed('target') ? 'target' : 'none';
  return isNamed('identifier') && byIdentifier ? 'identifier' : 'patient';
}

function offers(resource: CapabilityStatementRestResource | undefined, code: string): boolean {
  return resource?.interaction?.some((interaction) => interaction.code === code) ?? false;
}
