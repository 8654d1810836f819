import { athenahealth } from './athenahealth.ts';
import { canvas } from './canvas.ts';
import { eclinicalworks } from './eclinicalworks.ts';
import { epic } from './epic.ts';
import { meditech } from './meditech.ts';
import { medplum } from './medplum.ts';
import { nextgen } from './nextgen.ts';
import { oracle } from './oracle.ts';
import type { Preset } from './preset.ts';

const all = { epic, oracle, athenahealth, eclinicalworks, nextgen, meditech, canvas, medplum } as const;

export type PresetId = keyof typeof all;
export const presetIds: readonly PresetId[] = Object.values(all).map(({ id }) => id);

export const presets: readonly Preset[] = Object.values(all);

/** The preset of a site; undefined if the site states none. */
export function presetOf({ preset }: { readonly preset?: PresetId | undefined }): Preset | undefined {
  return preset === undefined ? undefined : all[preset];
}
