/** The icons that pages use, by their Lucide names. The build includes only these. */
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
