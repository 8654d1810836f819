import { readdirSync, readFileSync } from 'node:fs';

/** Processor time of processes, from Linux’ own account of them. Elsewhere it is not known, and 0. */

// In which Linux counts for programs, whatever its own clock does.
const ticksPerSecond = 100;

interface Account {
  readonly parent: number;
  /** Seconds of its own. */
  readonly own: number;
  /** Of its children that have ended. */
  readonly ended: number;
}

/** Seconds that a process has used until now. */
export function secondsOf(pid: number): number {
  return accountOf(pid)?.own ?? 0;
}

/** Seconds of a process with all its children, also those that have ended. */
export function secondsOfFamily(pid: number): number {
  const parent = accountOf(pid);
  if (parent === undefined) return 0;
  const children = pids()
    .flatMap((each) => accountOf(each) ?? [])
    .filter((each) => each.parent === pid);
  return parent.own + parent.ended + children.reduce((sum, { own }) => sum + own, 0);
}

/** Of a process whose parent started it; 0 when it is not known. */
export function parentOf(pid: number): number {
  return accountOf(pid)?.parent ?? 0;
}

function accountOf(pid: number): Account | undefined {
  try {
    // The name, in parentheses, may hold spaces; what follows it does not.
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const [, parent, ...rest] = text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    const [user = 0, system = 0, userOfEnded = 0, systemOfEnded = 0] = rest.slice(9);
    return {
      parent: parent ?? 0,
      own: (user + system) / ticksPerSecond,
      ended: (userOfEnded + systemOfEnded) / ticksPerSecond,
    };
  } catch {
    return undefined;
  }
}

function pids(): number[] {
  try {
    return readdirSync('/proc').map(Number).filter(Number.isInteger);
  } catch {
    return [];
  }
}
