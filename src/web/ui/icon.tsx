import { existsSync, readFileSync } from 'node:fs';
import type { VNode } from 'preact';
import { z } from 'zod';
import { assetPath } from '../http/assets.ts';
import type { IconName } from './icon-names.ts';
import type { Tone } from './status.tsx';

/** A picture beside words that say the same: a reader of the screen is not told of it. */
export function Icon({ name }: { readonly name: IconName }): VNode {
  return (
    <svg
      class="icon"
      viewBox="0 0 24 24"
      aria-hidden="true"
      focusable="false"
      // The build wrote it from the package of icons.
      dangerouslySetInnerHTML={{ __html: bodies[name] ?? '' }}
    />
  );
}

const toneIcons: Readonly<Record<Tone, IconName>> = {
  good: 'circle-check',
  bad: 'circle-x',
  act: 'triangle-alert',
  calm: 'clock',
  off: 'clock',
};

/** How something stands, for who does not see the color. */
export function ToneIcon({ tone }: { readonly tone: Tone }): VNode {
  return <Icon name={toneIcons[tone]} />;
}

/** The mark of the bridge, as in the icon of its tab. */
export function Mark(): VNode {
  return (
    <svg class="icon mark" viewBox="3 7 26 16" aria-hidden="true" focusable="false">
      <path d="M5 21h22M8 21v-4a8 8 0 0 1 16 0v4" />
    </svg>
  );
}

const bodies = readBodies();

function readBodies(): Readonly<Record<string, string>> {
  const path = assetPath('icons.json');
  return existsSync(path) ? z.record(z.string(), z.string()).parse(JSON.parse(readFileSync(path, 'utf8'))) : {};
}
