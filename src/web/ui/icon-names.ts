/** The icons that pages use, by their names in Lucide; the build takes these and no others along. */
export const iconNames = [
  'bookmark',
  'chart-column',
  'check',
  'circle-check',
  'circle-x',
  'clock',
  'download',
  'external-link',
  'triangle-alert',
] as const;
export type IconName = (typeof iconNames)[number];
