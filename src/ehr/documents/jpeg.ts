import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Bitmap } from './halve.ts';

/**
 * Decodes a JPEG, scaled down as far as its longer side keeps at least `side` pixels. For a photo of 12 megapixels,
 * that takes a quarter of the memory. Undefined for print colors (CMYK, YCCK) and if libjpeg-turbo warns, either of
 * stray bytes or of missing picture data, which it fills with gray. Throws for an undecodable image.
 */
export function decodeJpeg(bytes: Buffer, side: number): Bitmap | undefined {
  const turbo = start();
  const input = turbo.malloc(bytes.length);
  new Uint8Array(turbo.memory.buffer).set(bytes, input);
  const decoder = turbo.tjInitDecompress();
  const head = turbo.malloc(16);
  if (turbo.tjDecompressHeader3(decoder, input, bytes.length, head, head + 4, head + 8, head + 12) !== 0)
    throw new Error('no JPEG header');
  const [fullWidth = 0, fullHeight = 0, , colors = 0] = new Uint32Array(turbo.memory.buffer, head, 4);
  const scale = eighths(Math.max(fullWidth, fullHeight), side);
  const [width, height] = [scaled(fullWidth, scale), scaled(fullHeight, scale)];
  // print colors would have to be converted
  if (colors === cmyk || colors === ycck) return undefined;
  const output = turbo.malloc(width * height * 4);
  const size = [width, width * 4, height] as const;
  if (turbo.tjDecompress2(decoder, input, bytes.length, output, ...size, asRgba, 0) !== 0) return undefined;
  const data = Buffer.from(turbo.memory.buffer, output, width * height * 4);
  return { data, width, height };
}

// Constants of turbojpeg.h: TJPF_RGBA, TJCS_CMYK, TJCS_YCCK.
const [asRgba, cmyk, ycck] = [7, 3, 4];

/** TurboJPEG scales in steps of one eighth. */
function eighths(longer: number, side: number): number {
  return Math.min(8, Math.max(1, Math.ceil((8 * side) / longer)));
}

function scaled(length: number, scale: number): number {
  return Math.ceil((length * scale) / 8);
}

/** The exports of the package's WebAssembly module. */
interface Turbo {
  readonly memory: WebAssembly.Memory;
  malloc(size: number): number;
  tjInitDecompress(): number;
  tjDecompressHeader3(
    decoder: number,
    input: number,
    length: number,
    width: number,
    height: number,
    subsampling: number,
    colors: number,
  ): number;
  tjDecompress2(
    decoder: number,
    input: number,
    length: number,
    output: number,
    width: number,
    pitch: number,
    height: number,
    format: number,
    flags: number,
  ): number;
}

let compiled: WebAssembly.Module | undefined;

// Used in place of the package's own function, which decodes only at full size and never frees its memory.
function start(): Turbo {
  compiled ??= new WebAssembly.Module(
    readFileSync(createRequire(import.meta.url).resolve('@cwasm/jpeg-turbo/jpeg-turbo.wasm')),
  );
  const fails = () => {
    throw new Error('the JPEG is damaged');
  };
  const { exports } = new WebAssembly.Instance(compiled, {
    env: { setjmp: () => 0, longjmp: fails },
    wasi_snapshot_preview1: {
      environ_sizes_get: () => 0,
      environ_get: fails,
      proc_exit: fails,
      fd_close: fails,
      fd_seek: fails,
      fd_write: fails,
    },
  });
  return exports as unknown as Turbo;
}
