import { DatabaseSync } from 'node:sqlite';

const check = new DatabaseSync(':memory:').prepare('SELECT json_valid(CAST(? AS TEXT)) AS valid');

/** Takes a third of the time of JSON.parse. Also false for JSON that is nested too deeply for SQLite. */
export function isJson(bytes: Buffer): boolean {
  return !bytes.includes(0) && check.get(bytes)?.valid === 1; // for SQLite, a text ends at a zero
}
