declare module 'fontkit' {
  /** The font of a file, which must be there; what it holds is read when it is needed, and kept. */
  export function openSync(path: string): object;
}
