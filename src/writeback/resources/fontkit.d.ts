declare module 'fontkit' {
  /** Opens a font file, which must exist. Its content is read when needed, then cached. */
  export function openSync(path: string): object;
}
