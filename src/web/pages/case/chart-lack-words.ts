import type { ChartLack } from '../../../cases/chart-standing.ts';

const texts: Readonly<Record<ChartLack, string>> = {
  failed: 'Not saved to the chart',
  'wrong-letter': 'Wrong letter still in the chart',
  'old-status': 'Chart shows an old status',
  launch: 'Waits for the chart to be opened',
  file: 'File the letter by hand',
};

/** A short text for lists; a code that this version does not know counts as `failed`. */
export function lackText(lack: string | undefined): string {
  return Object.entries(texts).find(([code]) => code === lack)?.[1] ?? texts.failed;
}

/** The texts of the notices on the case page. */
export const lackWords = {
  oldHeading: 'The task in the chart shows an earlier status',
  /** For a Task that is updated when somebody opens the app from the chart. */
  oldUntilSaved: 'It shows the present one once it is saved from this chart. This page has the present status.',
  oldForGood:
    'This EHR does not let this app change it. This page has the present status; correct the task in the EHR.',
  oldBeside: 'This EHR does not let this app change it. A second task beside it tells how the request ended.',
  maybeOldHeading: 'The task in the chart may show an earlier status',
  oldUnfound:
    'This EHR saved it without saying where, so this app cannot update it. This page has the present status. ' +
    'Look for it in the EHR and correct it.',
  waitsHeading: 'Not everything is saved to the chart yet',
  waits: 'It could not be saved while nobody had this chart open. Save it now; it is written in your name.',
  saveNow: 'Save to the chart now',
  wrongHeading: 'A wrong letter is still in the chart',
  wrong:
    'This EHR does not let this app mark it. Mark it as entered in error in the EHR, or have it removed there; then ' +
    'look again.',
  lookAgain: 'Look in the chart again',
  wrongThere: 'wrong, still in the chart',
  cannotFind: 'in the chart, but this app cannot find it',
  stillThere: 'still in the chart',
  secondCopyHeading: 'A second copy is in the chart',
  secondCopy:
    'The same document was saved twice, and this EHR does not let this app take one back. Mark the second copy as ' +
    'entered in error in the EHR. “For IT support” below names it.',
  fileHeading: 'File the letter by hand',
  file:
    'This EHR takes no letter from this app. Open it under “Documents and chart”, file it in the chart, ' +
    'then mark it.',
  filed: 'Filed in the chart',
  others: (count: number) =>
    count === 1
      ? '1 other request of this patient is not in the chart as it should be.'
      : `${count} other requests of this patient are not in the chart as they should be.`,
  seeOthers: 'See all requests',
} as const;
