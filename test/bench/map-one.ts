import { parseArgs } from 'node:util';
import { openBuild, thisBuild } from './builds.ts';
import { compareBuilds } from './compare-builds.ts';

/**
 * From the bytes of one chart to its request, in processor time of the whole process over JSON.parse of the same bytes.
 * `npm run bench -- --against ../other-checkout` measures another build (its `dist/`) in turns with this one.
 */
const { values } = parseArgs({
  options: {
    against: { type: 'string' },
    rounds: { type: 'string', default: '60' },
    charts: { type: 'string', default: '100' },
  },
});
const other = values.against === undefined ? [] : [await openBuild(values.against)];
const rounds = Number(values.rounds);
const size = { charts: Number(values.charts), rounds, warmup: Math.ceil(rounds / 2) };
await compareBuilds([thisBuild, ...other], size, console.log);
