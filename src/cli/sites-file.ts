import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { BridgeError } from '../core/errors.ts';
import { placesOf } from '../core/overlay/json-places.ts';

/** The text of a sites file, or undefined if there is none yet. Throws config_invalid if it cannot be read. */
export function sitesText(path: string): string | undefined {
  try {
    return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
  } catch (cause) {
    throw unusable(path, 'read', cause);
  }
}

/**
 * The text with a site added at the end of its list, in the list's own format; the rest stays unchanged. Without a
 * text, a new file. Throws JsonMistake if the text is not JSON, and config_invalid if it has no list `sites`.
 * @example withSite('{"sites":[{"id":"a"}]}', { id: 'b' }) // '{"sites":[{"id":"a"},{"id":"b"}]}'
 */
export function withSite(text: string | undefined, site: object): string {
  if (text === undefined) return `${JSON.stringify({ sites: [site] }, undefined, 2)}\n`;
  const list = listIn(text);
  const inside = text.slice(list.start + 1, list.end);
  const first = /^\s*/.exec(inside)?.[0] ?? '';
  const isEmpty = inside.trim() === '';
  const isSpread = isEmpty ? text.includes('\n') : first.includes('\n');
  const entry = isSpread
    ? spread(text, isEmpty ? '    ' : first.replace(/^[\s\S]*\n/, ''), site)
    : JSON.stringify(site);
  const before = text.slice(0, list.start + 1) + (isEmpty ? '' : `${inside.trimEnd()},`);
  const gap = isEmpty && isSpread ? `${lineEnd(text)}    ` : first;
  const after = isEmpty && isSpread ? `${lineEnd(text)}  ` : inside.slice(inside.trimEnd().length);
  return `${before}${gap}${entry}${isEmpty && !isSpread ? '' : after}${text.slice(list.end)}`;
}

/** Returns the positions of the opening and the closing bracket of the list `sites`. */
function listIn(text: string): { readonly start: number; readonly end: number } {
  const { line, column } = placesOf(text).at(['sites']);
  const lines = text.split('\n');
  const key = lines.slice(0, line - 1).join('\n').length + (line === 1 ? 0 : 1) + column - 1;
  const head = /^"sites"\s*:\s*(?=\[)/.exec(text.slice(key));
  const start = key + (head?.[0].length ?? 0);
  for (let end = text.indexOf(']', start); head !== null && end >= 0; end = text.indexOf(']', end + 1))
    if (isJson(text.slice(start, end + 1))) return { start, end };
  throw new BridgeError('config_invalid', { problems: ['sites: no list in the sites file'] });
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

// `indent` belongs to a site, which is nested two levels deep.
function spread(text: string, indent: string, site: object): string {
  const step = indent.slice(0, Math.max(1, indent.length / 2));
  return JSON.stringify(site, undefined, step)
    .split('\n')
    .join(`${lineEnd(text)}${indent}`);
}

function lineEnd(text: string): string {
  return text.includes('\r\n') ? '\r\n' : '\n';
}

/**
 * Atomically replaces the file's text `before` with `next`. Throws config_invalid and changes nothing if the file has
 * another text or cannot be written.
 */
export function replaceSites(path: string, before: string | undefined, next: string): void {
  const isLink = before !== undefined;
  const file = isLink ? realpathSync(path) : path;
  const beside = `${file}.${process.pid}.new`;
  try {
    writeFileSync(beside, next, { mode: isLink ? statSync(file).mode & 0o777 : 0o644, flag: 'wx' });
    const written = openSync(beside, 'r');
    fsyncSync(written);
    closeSync(written);
    if (sitesText(path) !== before)
      throw new BridgeError('config_invalid', { problems: [`${path} was changed meanwhile; nothing was written`] });
    renameSync(beside, file);
  } catch (cause) {
    rmSync(beside, { force: true });
    throw cause instanceof BridgeError ? cause : unusable(path, 'written', cause);
  }
}

function unusable(path: string, done: 'read' | 'written', cause: unknown): BridgeError {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown reason';
  return new BridgeError('config_invalid', { problems: [`${path} cannot be ${done}: ${code}`] }, { cause });
}
