// Loaded into a process of the bridge before anything else (`node --import`): its clock is wrong by so much, and, for
// runs that have no hour to spend, its looks into the chart after an unclear write come sooner.
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
  registerHooks({
    load(url, context, next) {
      const loaded = next(url, context);
      if (!url.endsWith('/dist/src/writeback/retry.js')) return loaded;
      const source = String(loaded.source);
      const changed = source
        .replace(/lookAt = \[([\d, ]+)\]/, (_, list) => `lookAt = [${list.split(',').map(sooner).join(', ')}]`)
        .replace(/doubleAfterSeconds = (\d+)/, (_, seconds) => `doubleAfterSeconds = ${sooner(seconds)}`);
      if (changed === source) throw new Error('the looks into the chart are not where they were');
      return { ...loaded, source: changed };
    },
  });
}
