// Loaded into a process (`--import`): its clock is wrong by the milliseconds in the file BAD_DAY_CLOCK, from a quarter
// of a second after they are written. Timers go on as they do when the clock of a machine is set.
import { readFileSync } from 'node:fs';

const RealDate = Date;
let shift = 0;
setInterval(() => {
  try {
    shift = Number(readFileSync(process.env.BAD_DAY_CLOCK, 'utf8'));
  } catch {
    shift = 0;
  }
}, 250).unref();

globalThis.Date = class extends RealDate {
  constructor(...parts) {
    if (parts.length === 0) super(RealDate.now() + shift);
    else super(...parts);
  }
  static now() {
    return RealDate.now() + shift;
  }
};
