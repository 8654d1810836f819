/** One run: how many jobs were done a second, and what each process cost. */
export interface Run {
  readonly jobsDone: number;
  readonly seconds: number;
  readonly perSecond: number;
  /** Processor seconds by the name of the process. */
  readonly cpu: Readonly<Record<string, number>>;
}

export function tableOf(title: string, life: Run, bare: Run): string {
  const lines = [['whole life of cases', life] as const, ['bare queue', bare] as const].map(
    ([name, { jobsDone, seconds, perSecond, cpu }]) => {
      const costs = Object.entries(cpu).map(([part, used]) => `${part} ${((used * 1000) / jobsDone).toFixed(2)}`);
      const rate = `${jobsDone} jobs in ${seconds.toFixed(2)} s, ${perSecond.toFixed(1)} a second`;
      return `  ${name.padEnd(20)} ${rate}; CPU ms a job: ${costs.join(', ')}`;
    },
  );
  return [title, ...lines].join('\n');
}

export function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;
}

/** What a process has used between two moments, by name. */
export function used(
  before: Readonly<Record<string, number>>,
  after: Readonly<Record<string, number>>,
): Record<string, number> {
  return Object.fromEntries(Object.entries(after).map(([name, seconds]) => [name, seconds - (before[name] ?? 0)]));
}
