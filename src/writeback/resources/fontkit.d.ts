declare module 'fontkit' {
  /** The font in a file, which must exist; its content is read when it is needed, and kept. */
  export function openSync(path: string): object;
}
