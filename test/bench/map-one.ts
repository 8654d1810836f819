import { parseArgs } from 'node:util';
import { openBuild, thisBuild, thisBuildAlone } from './builds.ts';
import { benchChartsApart } from './charts.ts';
import { compareBuilds } from './compare-builds.ts';

/**
 * From the bytes of one chart to its request, in processor time of the whole process over JSON.parse of the same bytes.
 * `npm run bench -- charts --against ../other-checkout` measures another build (its `dist/`) in turns with this one.
 *
 * A batch maps thousands of charts in one process, some together; a launch maps one alone. What counts is how long a
 * chart takes once the compiler is done: V8 goes on compiling until some 100,000 charts
 * were mapped, and so many of each kind are mapped first. `--warmup 0` shows what a process pays before that.
 */
const { values } = parseArgs({
  options: {
    against: { type: 'string' },
    rounds: { type: 'string', default: '100' },
    warmup: { type: 'string', default: '1000' },
    charts: { type: 'string', default: '100' },
  },
});
const other = values.against === undefined ? [] : [await openBuild(values.against)];
const size = { rounds: Number(values.rounds), warmup: Number(values.warmup) };
const builds = [thisBuild, ...other, thisBuildAlone];
await compareBuilds(builds, await benchChartsApart(Number(values.charts)), size, console.log);
