import { existsSync, readFileSync } from 'node:fs';
import type { VNode } from 'preact';
import { z } from 'zod';
import { assetPath } from '../http/assets.ts';
import type { IconName } from './icon-names.ts';
import type { Tone } from './status.tsx';

/** An icon beside text with the same meaning, so it is hidden from screen readers. */
export function Icon({ name }: { readonly name: IconName }): VNode {
  return (
    <svg
      class="icon"
      viewBox="0 0 24 24"
      aria-hidden="true"
      focusable="false"
      // The build generates this from the icon package.
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

/** The icon of a status, for readers who cannot see its color. */
export function ToneIcon({ tone }: { readonly tone: Tone }): VNode {
  return <Icon name={toneIcons[tone]} />;
}

/** The bridge's logo, which is also the icon of the browser tab. */
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
