import { asV1 } from '../../core/fhir/scopes.ts';
import { readScopes, signInScopes, typesWrittenBy, type WrittenName, writeScope } from '../scopes.ts';
import type { Preset } from './preset.ts';

/**
 * Returns the scopes of a launch at this EHR: for the resources that it has, for what the channels write, and for a
 * refresh token. They are in the EHR's scope style.
 */
export function scopesOf(preset: Preset): string[] {
  const { scopes, search, signIn } = preset;
  const reads = [...readScopes, ...scopes.also].filter((scope) => !search.without.includes(typeOf(scope)));
  const all = [...signInScopes, ...signIn.refresh.slice(0, 1), ...reads, ...writeScopes(preset, 'patient')];
  return [...new Set(scopes.styles[0] === 'v1' ? all.flatMap(asV1) : all)];
}

/** Returns the scopes for Backend Services, which only write. */
export function systemScopesOf(preset: Preset): string[] {
  const all = writeScopes(preset, 'system');
  return [...new Set(preset.scopes.styles[0] === 'v1' ? all.flatMap(asV1) : all)];
}

/** Returns the scopes that a Backend Services token needs to read a chart, in the EHR's scope style. */
export function systemReadScopesOf(preset: Preset | undefined): string[] {
  const reads = readScopes.filter((scope) => preset?.search.without.includes(typeOf(scope)) !== true);
  const all = reads.map((scope) => scope.replace(/^\w+\//, 'system/'));
  return [...new Set(preset?.scopes.styles[0] === 'v1' ? all.flatMap(asV1) : all)];
}

function writeScopes({ may, channels }: Preset, level: 'patient' | 'system'): string[] {
  const types = typesWrittenBy(channels);
  const beside: readonly WrittenName[] = types.length > 0 && may.Provenance.includes('c') ? ['Provenance'] : [];
  return [...types, ...beside].map((type) => writeScope(type, level, may[type]));
}

/** Returns the scopes for writing a type, in the EHR's scope style. */
export function scopesFor(type: WrittenName, level: 'patient' | 'system', preset: Preset | undefined): string[] {
  const scope = writeScope(type, level, preset?.may[type] || undefined);
  return preset?.scopes.styles[0] === 'v1' ? asV1(scope) : [scope];
}

/**
 * Returns the style of a scope: `patient/Task.rs` is v2, `patient/Task.read` is v1; undefined if it is the same in
 * both.
 */
export function styleOf(scope: string): 'v1' | 'v2' | undefined {
  const [, verbs] = /^(?:patient|user|system)\/[A-Za-z*]+\.([^?]+)/.exec(scope) ?? [];
  if (verbs === undefined) return undefined;
  return verbs === 'read' || verbs === 'write' || verbs === '*' ? 'v1' : 'v2';
}

function typeOf(scope: string): string {
  return /\/([A-Za-z]+)\./.exec(scope)?.[1] ?? '';
}
