import { baseNames, mappingKinds, type NamesByKind } from '../contract/kinds.ts';
import type { MappingsByKind } from '../contract/mappings-by-kind.ts';
import { nearest } from '../did-you-mean.ts';
import { BridgeError } from '../errors.ts';
import { layOverlay, type SiteRules } from './lay-overlay.ts';
import type { Registry } from './registry.ts';
import type { OverlayProblem } from './site-overlay.ts';

/**
 * Applies each TypeScript overlay of the registry to the package's mappings, so that every command knows the result by
 * name. Throws one config_invalid with every mistake of every overlay.
 */
export function withNamedOverlays(registry: Registry): Registry {
  const laid = Object.keys(registry.overlays ?? {}).map((name) => layNamed(name, registry, baseNames));
  const problems = laid.flatMap((rules) => ('problems' in rules ? rules.problems : []));
  if (problems.length > 0) throw new BridgeError('config_invalid', { problems });
  return laid.reduce((all, rules) => ('problems' in rules ? all : withSiteRules(all, rules)), registry);
}

/** Applies one named overlay to the mappings in `bases`. */
export function layNamed(
  name: string,
  registry: Registry,
  bases: NamesByKind,
): SiteRules | { readonly problems: readonly string[] } {
  const names = Object.keys(registry.overlays ?? {});
  const overlay = names.includes(name) ? registry.overlays?.[name] : undefined;
  if (overlay === undefined)
    return {
      problems: [`overlay: ${name} is neither a .json file nor one of ${names.join(', ')}${nearest(name, names)}`],
    };
  const laid = layOverlay(overlay, registry, bases);
  return 'problems' in laid
    ? { problems: laid.problems.map((problem) => `overlay ${name}: ${sentenceOf(problem)}`) }
    : laid;
}

export function namesOf(rules: SiteRules): NamesByKind {
  return Object.fromEntries(mappingKinds.map((kind) => [kind, rules[kind].name])) as NamesByKind;
}

/** Adds the rules of an overlay to the registry, under their names. */
export function withSiteRules(registry: Registry, rules: SiteRules): Registry {
  const names = namesOf(rules);
  const added = mappingKinds.map((kind) => [kind, { ...registry[kind], [names[kind]]: rules[kind] }]);
  const roles = mappingKinds.map((kind) => [names[kind], kind === 'answers' ? rules.answerRoles : rules.roles]);
  return {
    ...registry,
    ...(Object.fromEntries(added) as MappingsByKind),
    siteRoles: { ...registry.siteRoles, ...Object.fromEntries(roles) },
  };
}

/** Example: `roles.coverage.prefer[0]: ... (character 12 of the expression)`. */
export function sentenceOf({ path, reason, position }: OverlayProblem): string {
  const key = path.reduce<string>(
    (text, part) =>
      typeof part === 'number' ? `${text}[${part}]` : text === '' ? String(part) : `${text}.${String(part)}`,
    '',
  );
  const where = position === undefined ? '' : ` (character ${position + 1} of the expression)`;
  return key === '' ? `${reason}${where}` : `${key}: ${reason}${where}`;
}
