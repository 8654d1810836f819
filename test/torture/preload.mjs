// Loaded into a process of the bridge before anything else (`node --import`): its clock is wrong by so much, and, for
// runs that have no hour to spend, its looks into the chart after an unclear write, and its readings after the end of a
// request, come sooner.
import { registerHooks } from 'node:module';

const skew = Number(process.env.TORTURE_SKEW_MS ?? 0);
const hurry = Number(process.env.TORTURE_HURRY ?? 1);

if (skew !== 0) {
  const RealDate = Date;
  globalThis.Date = class extends RealDate {
    constructor(...parts) {
      if (parts.length === 0) super(RealDate.now() + skew);
      else super(...parts);
    }
    static now() {
      return RealDate.now() + skew;
    }
  };
}

if (hurry !== 1) {
  const sooner = (seconds) => String(Number(seconds) / hurry);
  /** By file: the numbers of seconds that are to be smaller, alone or in a list. */
  const waits = {
    '/dist/src/writeback/retry.js': ['lookAt', 'lookForDoubleAt'],
    '/dist/src/cases/rounds/merge.js': ['askedStillAfter'],
    '/dist/src/cases/after-end.js': ['readAgainAfter', 'readOnceMoreAfter', 'readAgainUntil'],
  };
  registerHooks({
    load(url, context, next) {
      const loaded = next(url, context);
      const [, names] = Object.entries(waits).find(([file]) => url.endsWith(file)) ?? [];
      if (names === undefined) return loaded;
      let source = String(loaded.source);
      for (const name of names) {
        const before = source;
        source = source.replace(new RegExp(`(?<= ${name} = )(?:\\[[\\d, ]+\\]|\\d+)`), (value) =>
          value.replace(/\d+/g, sooner),
        );
        if (source === before) throw new Error(`${name} is not where it was`);
      }
      return { ...loaded, source };
    },
  });
}
