/** RGBA pixels, row by row. */
export interface Bitmap {
  readonly data: Buffer;
  readonly width: number;
  readonly height: number;
}

/**
 * Halves width and height; each pixel is the mean of four. Writes into the memory of the given image, since any other
 * scaling needs as much memory again. An odd last row or column is dropped.
 */
export function halve({ data, width, height }: Bitmap): Bitmap {
  const half = { width: Math.floor(width / 2), height: Math.floor(height / 2) };
  const row = width * 4;
  let to = 0;
  for (let y = 0; y < half.height; y += 1) {
    let from = 2 * y * row;
    for (let x = 0; x < half.width; x += 1, from += 8, to += 4)
      for (let color = from; color < from + 4; color += 1)
        data[to + color - from] =
          (data[color]! + data[color + 4]! + data[color + row]! + data[color + row + 4]! + 2) >> 2;
  }
  return { ...half, data: data.subarray(0, to) };
}
