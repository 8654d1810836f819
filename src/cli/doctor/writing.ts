import type { CapabilityStatement } from 'fhir/r4.js';
import type { Site } from '../../config/config.ts';
import { scopesFor } from '../../config/presets/preset-scopes.ts';
import { presetOf } from '../../config/presets/presets.ts';
import {
  asksProvenance,
  type ChannelStep,
  channelPlan,
  channelStep,
  tried,
  type Writable,
} from '../../writeback/channel-plan.ts';
import { type DoctorFinding, note, ok, problemFinding } from './finding.ts';

/** The channel by which an outcome is written with one kind of token, and why no better channel is used. */
export interface Landing {
  /** `system`: Backend Services. `launch`: the launch's own token, refreshed or from the next launch. */
  readonly token: 'system' | 'launch';
  /** The types of the written resources, the outcome itself last; empty if the outcome stays in the worklist. */
  readonly writes: readonly Writable[];
  /** Why the channels before the chosen one cannot be used at this EHR. */
  readonly reasons: readonly string[];
}

/** Scopes by kind of token. `system` is absent if the site does not use that token or the EHR granted none. */
export interface Grants {
  readonly launch: readonly string[];
  readonly system?: readonly string[];
}

/** The plan that a delivery follows until the EHR refuses a write. */
export function landingsOf(site: Site, statement: CapabilityStatement, grants: Grants): Landing[] {
  const { tokens } = site.writeback;
  const kinds = [...new Set(tokens.map((token) => (token === 'system' ? ('system' as const) : ('launch' as const))))];
  return kinds.flatMap((token) => {
    const scopes = grants[token];
    return scopes === undefined ? [] : [landingOf(site, statement, token, scopes)];
  });
}

function landingOf(
  site: Site,
  statement: CapabilityStatement,
  token: Landing['token'],
  scopes: readonly string[],
): Landing {
  const { task, carriers } = stepsOf(site, statement, scopes);
  const isTaskListed = tried(site.writeback.channels).includes('task+document');
  const carrier = carriers.find(({ reason }) => reason === undefined);
  const passed = carriers.slice(0, carrier === undefined ? undefined : carriers.indexOf(carrier));
  return {
    token,
    writes: [...(task.reason === undefined ? [task.type] : []), ...(carrier === undefined ? [] : [carrier.type])],
    reasons: [...(isTaskListed ? [task] : []), ...passed].flatMap(({ reason }) => reason ?? []),
  };
}

function stepsOf(site: Site, statement: CapabilityStatement, scopes: readonly string[]) {
  const preset = presetOf(site);
  return channelPlan(
    site.writeback.channels,
    (type) => channelStep(type, statement, scopes, new Map(), preset),
    preset,
  );
}

export function writingFindings(site: Site, statement: CapabilityStatement, grants: Grants): DoctorFinding[] {
  const landings = landingsOf(site, statement, grants);
  return landings.flatMap((landing) => [
    landingFinding(landing),
    ...landing.reasons.map((reason) => reasonFinding(reason, site, landing.token)),
    ...leftFindings(landing),
    ...reachFindings(site, statement, landing, grants[landing.token] ?? []),
    ...(landing.writes.length === 0 ? [] : provenanceFindings(site, statement, landing.token, grants)),
  ]);
}

// No channel requires a Provenance, so a missing scope for it is a note and not a problem.
function provenanceFindings(
  site: Site,
  statement: CapabilityStatement,
  token: Landing['token'],
  grants: Grants,
): DoctorFinding[] {
  if (!asksProvenance(site)) return [];
  const { reason } = channelStep('Provenance', statement, grants[token] ?? [], new Map(), presetOf(site));
  if (reason !== undefined)
    return [
      note(
        `${tokenWords[token]}, no Provenance is written: ${reason}.`,
        scopeIn(reason) === undefined ? undefined : `Have ${toAsk('Provenance', site, token)}.`,
      ),
    ];
  return [ok(`${tokenWords[token]}, a Provenance is written for each resource.`)];
}

const tokenWords = { system: 'With the token of Backend Services', launch: 'With a launch’s token' } as const;

function landingFinding({ token, writes }: Landing): DoctorFinding {
  if (writes.length === 0 || (writes.length === 1 && writes[0] === 'Task'))
    return note(
      `${tokenWords[token]}, ${writes.length === 0 ? 'nothing is' : 'a Task alone is'} written to the chart: ` +
        'staff find the outcome in the worklist and file its letter by hand.',
    );
  return ok(`${tokenWords[token]}, an outcome is written as ${writes.join(' and ')}.`);
}

/** The steps that staff must still do by hand after an outcome was written. */
function leftFindings({ writes }: Landing): DoctorFinding[] {
  if (writes.length === 0) return [];
  return [
    ...(writes.includes('Communication')
      ? [note('A message carries no file: staff open the payer’s letter on the request’s page and file it.')]
      : []),
    ...(writes.includes('Task')
      ? []
      : [note('No Task follows a request: until it is decided, the chart shows nothing of it.')]),
  ];
}

function reasonFinding(reason: string, site: Site, token: Landing['token']): DoctorFinding {
  const { scope, type } = scopeIn(reason) ?? {};
  // A capability that the EHR lacks is only a note.
  if (type === undefined) return note(`Not used: ${reason}.`);
  // An administrator can grant a missing scope, so that is a problem.
  return problemFinding(
    `The scope ${scope} is not granted or not asked for.`,
    `Have ${toAsk(type, site, token)}, or take the channel out of writeback.channels.`,
  );
}

/** The scope (`Task.c`) and its resource type, if the reason is a missing scope. */
function scopeIn(reason: string): { readonly scope: string; readonly type: Writable } | undefined {
  const scope = /^no scope (.+)$/.exec(reason)?.[1];
  const type = (['Task', 'DocumentReference', 'Communication', 'Provenance'] as const).find(
    (each) => scope?.startsWith(`${each}.`) === true,
  );
  return scope === undefined || type === undefined ? undefined : { scope, type };
}

function toAsk(type: Writable, site: Site, token: Landing['token']): string {
  const scopes = scopesFor(type, token === 'system' ? 'system' : 'patient', presetOf(site)).join(' ');
  return `${scopes} granted, and named in ${token === 'system' ? 'writeback.system.scopes' : '"scopes" of the site'}`;
}

function reachFindings(
  site: Site,
  statement: CapabilityStatement,
  { writes }: Landing,
  scopes: readonly string[],
): DoctorFinding[] {
  const { task, carriers } = stepsOf(site, statement, scopes);
  const used = [task, ...carriers].filter(({ type }) => writes.includes(type));
  return [...new Map(used.map((step) => [step.type, step])).values()].flatMap((step) => [
    ...(step.type === 'Task' ? [taskReach(step)] : []),
    ...(step.reach.search === 'none'
      ? [note(`${step.type} cannot be searched: after a lost answer a person is asked to look into the chart.`)]
      : []),
  ]);
}

function taskReach({ reach }: ChannelStep): DoctorFinding {
  if (reach.update) return ok('The Task is updated in place.');
  if (reach.patch) return ok('The Task is patched in place.');
  return note('The Task cannot be changed: how a request ended stands in a second Task, and pages say so until then.');
}
