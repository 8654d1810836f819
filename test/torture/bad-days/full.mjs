// Loaded into a process (`--import`) where no small file system can be mounted: while the file BAD_DAY_FULL exists,
// nothing more can be written once the process has written as many bytes as stand in it.
import fs, { existsSync, readFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const file = process.env.BAD_DAY_FULL ?? '';
let written = 0;

function assertRoom(target, bytes) {
  if (typeof target === 'number' && target <= 2) return;
  written += bytes;
  if (!existsSync(file) || written <= Number(readFileSync(file, 'utf8'))) return;
  throw Object.assign(new Error('ENOSPC: no space left on device, write'), {
    code: 'ENOSPC',
    errno: -28,
    syscall: 'write',
  });
}

// With an offset, what follows it is how many bytes of the buffer are meant.
const bytesOf = (data, [, length]) => (ArrayBuffer.isView(data) && typeof length === 'number' ? length : sizeOf(data));
const sizeOf = (data) => (Array.isArray(data) ? data.reduce((sum, one) => sum + sizeOf(one), 0) : (data?.length ?? 0));

for (const name of ['writeSync', 'writevSync', 'writeFileSync', 'appendFileSync']) {
  const real = fs[name];
  fs[name] = (target, data, ...others) => {
    assertRoom(target, bytesOf(data, others));
    return real(target, data, ...others);
  };
}
for (const name of ['write', 'writev', 'writeFile', 'appendFile']) {
  const real = fs[name];
  fs[name] = (target, data, ...others) => {
    try {
      assertRoom(target, bytesOf(data, others));
    } catch (error) {
      return void process.nextTick(others.at(-1), error);
    }
    return real(target, data, ...others);
  };
}
const { open } = fs.promises;
fs.promises.open = async (...asked) => {
  const handle = await open(...asked);
  for (const name of ['write', 'writev', 'writeFile', 'appendFile']) {
    const real = handle[name].bind(handle);
    handle[name] = async (data, ...others) => {
      assertRoom(handle.fd, bytesOf(data, others));
      return real(data, ...others);
    };
  }
  return handle;
};
syncBuiltinESMExports();
