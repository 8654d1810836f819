export interface ImageSize {
  readonly width: number;
  readonly height: number;
}

/**
 * Returns the size in an image's header. It is read before anything is decoded, because a small file can expand to
 * gigabytes. Undefined if the header is incomplete or unknown.
 */
export function sizeByHeader(type: string, bytes: Buffer): ImageSize | undefined {
  try {
    return readers[type]?.(bytes);
  } catch (error) {
    if (error instanceof RangeError) return undefined; // a read beyond the end
    throw error;
  }
}

const readers: Readonly<Record<string, (bytes: Buffer) => ImageSize | undefined>> = {
  'image/png': (bytes) => ({ width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }),
  'image/gif': (bytes) => ({ width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) }),
  'image/bmp': (bytes) => ({ width: Math.abs(bytes.readInt32LE(18)), height: Math.abs(bytes.readInt32LE(22)) }),
  'image/jpeg': sizeOfJpeg,
  'image/tiff': sizeOfTiff,
};

// ITU T.81, B.2.2: the frame header follows after any number of other segments
function sizeOfJpeg(bytes: Buffer): ImageSize | undefined {
  let at = 2;
  while (at < bytes.length) {
    if (bytes[at] !== 0xff) return undefined;
    const marker = bytes.readUInt8(at + 1);
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) };
    at += marker === 0xff ? 1 : 2 + bytes.readUInt16BE(at + 2);
  }
  return undefined;
}

// TIFF 6.0, section 2: tags 256 and 257 of the first directory, SHORT or LONG
function sizeOfTiff(bytes: Buffer): ImageSize | undefined {
  const little = bytes.toString('latin1', 0, 2) === 'II';
  const short = (at: number) => (little ? bytes.readUInt16LE(at) : bytes.readUInt16BE(at));
  const long = (at: number) => (little ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at));
  const directory = long(4);
  const found = new Map<number, number>();
  for (let entry = 0; entry < short(directory); entry += 1) {
    const at = directory + 2 + entry * 12;
    found.set(short(at), short(at + 2) === 3 ? short(at + 8) : long(at + 8));
  }
  const [width, height] = [found.get(256), found.get(257)];
  return width === undefined || height === undefined ? undefined : { width, height };
}
