import { appendFileSync } from 'node:fs';
import { afterAll, afterEach, beforeEach } from 'vitest';
import { type Asked, asked, mostFailedLooks, type TurnEnd, type TurnLine, type Usual } from './asked.ts';

// Before each test file of a run with turns: switches the change of this turn on, or ends it before it begins.

declare global {
  /** The change that is switched on. */
  var mutant: number | undefined;
  var mutants: State | undefined;
}

interface State {
  readonly asked: Asked;
  turn: number;
  /** How many looks failed one after the other: what was changed has left something behind. */
  failedLooks: number;
  /** How many tests of a file pass, and for how long they run, with nothing changed. */
  readonly usual: Map<string, Usual>;
  readonly noticed: Set<number>;
  /** The seconds of tests that each change has had. */
  readonly spent: Map<number, number>;
  last?: TurnEnd;
}

const beforeTests = 'before its tests';
/** What one file may take, and all files for one change, in seconds. */
const most = { file: 8, change: 20 };

globalThis.mutants ??= begun(asked());
const state = globalThis.mutants;
const place = state.turn++;
const turn = state.asked.turns?.[place];
if (turn === undefined) throw new Error('more files than turns');
const { test, id, isLook } = turn;
const usual = state.usual.get(test);

function isNeeded(): boolean {
  if (state.failedLooks >= mostFailedLooks) return false;
  if (isLook) return state.last?.id !== undefined && state.last.failed !== undefined;
  if (id === undefined) return usual === undefined;
  if (state.noticed.has(id) || usual === undefined || usual.passed === 0) return false;
  const spent = state.spent.get(id) ?? 0;
  return usual.seconds <= most.file && (spent === 0 || spent + usual.seconds <= most.change);
}

if (!isNeeded()) {
  if (isLook) delete state.last;
  throw new Error('this turn is not needed');
}

write({ begins: place });
function begun(wanted: Asked): State {
  const usual = new Map(Object.entries(wanted.usual ?? {}));
  return { asked: wanted, turn: 0, failedLooks: 0, usual, noticed: new Set(), spent: new Map() };
}

const begin = performance.now();
let passed = 0;
const failing: string[] = [];
let failed: string | undefined;
/** A look goes as far as the test that failed: those before it may prepare what it finds. */
let isReached = false;

beforeEach(({ task, skip }) => {
  globalThis.mutant = id;
  // The first test that fails says enough.
  if ((id !== undefined || isLook) && failed !== undefined) skip();
  if (isReached || usual?.failing.includes(task.name)) skip();
  isReached = isLook === true && task.name === state.last?.failed;
});

afterEach(({ task }) => {
  if (task.result?.state !== 'fail') passed += 1;
  else {
    failing.push(task.name);
    failed ??= task.name;
  }
});

afterAll(() => {
  globalThis.mutant = undefined;
  const seconds = (performance.now() - begin) / 1000;
  end(seconds);
});

function end(seconds: number): void {
  if (isLook) {
    state.failedLooks = failed === undefined ? 0 : state.failedLooks + 1;
    if (failed !== undefined && state.last?.id !== undefined) state.noticed.delete(state.last.id);
  } else if (id === undefined) state.usual.set(test, { passed, seconds, failing });
  else {
    state.spent.set(id, (state.spent.get(id) ?? 0) + seconds);
    // A hook that fails leaves its tests out.
    if (passed < (usual?.passed ?? 0)) failed ??= beforeTests;
    if (failed !== undefined) state.noticed.add(id);
  }
  state.last = { ...turn, test, passed, seconds, failing, ...(failed === undefined ? {} : { failed }) };
  write(state.last);
}

function write(line: TurnLine): void {
  appendFileSync(state.asked.log ?? '', `${JSON.stringify(line)}\n`);
}

globalThis.mutant = id;
