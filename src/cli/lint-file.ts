import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { readSiteOverlay, spokenOf } from '../config/load-overlays.ts';
import { baseNames } from '../core/contract/kinds.ts';
import { type PriorAuthContract, priorAuthContracts } from '../core/contract/profiles.ts';
import { BridgeError } from '../core/errors.ts';
import type { SiteRules } from '../core/overlay/lay-overlay.ts';
import type { Registry } from '../core/overlay/registry.ts';

/** An overlay file applied to the package's mappings of every profile. */
export interface LintedFile {
  /** The profiles that the overlay can be applied to, each with the resulting rules. */
  readonly fits: readonly Fit[];
  /**
   * Why the overlay cannot be applied to the other profiles, as `file:line:column: what is wrong`; at least one problem
   * for each profile.
   */
  readonly others: readonly NoFit[];
}

export interface Fit {
  /** Example: `the profile current with the drug coded`. */
  readonly profile: string;
  readonly rules: SiteRules;
}

export interface NoFit {
  readonly profile: string;
  readonly problems: readonly string[];
}

/** Throws `input_unreadable` if the file does not exist. */
export function lintFile(file: string, registry: Registry): LintedFile {
  const path = resolve(file);
  if (!existsSync(path)) throw new BridgeError('input_unreadable', { file });
  const read = priorAuthContracts.map((contract) => laidOver(contract, { file, path }, registry));
  return {
    fits: read.filter((one) => 'rules' in one),
    others: read.filter((one) => 'problems' in one),
  };
}

function laidOver(
  contract: PriorAuthContract,
  { file, path }: { readonly file: string; readonly path: string },
  registry: Registry,
): Fit | NoFit {
  const profile = spokenOf(contract);
  const read = readSiteOverlay(path, registry, { ...baseNames, 'prior-auth': contract.mapping });
  if ('problems' in read) return { profile, problems: read.problems.map((problem) => problem.replace(path, file)) };
  return { profile, rules: read };
}
