/** For a chart (a mapping case by its name, or `set/file`) the defect or the line that demands that it is asked now. */
export function demandedBy(chart: string): string | undefined {
  return Object.hasOwn(demands, chart) ? demands[chart] : undefined;
}

const demands: Readonly<Record<string, string>> = {
  'npi-with-a-wrong-check-digit-is-none': 'V17: a number with a wrong check digit is no NPI',
  'rx-bin-not-six-digits-is-asked': 'V17: an RxBIN that is not six digits is never sent',
};
