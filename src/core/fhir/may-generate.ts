/**
 * Whether this host lets functions be made of source text. Where it does not
 * (`--disallow-code-generation-from-strings`) the quick forms of paths, criteria, searches and checks give way to the
 * general ones: the same results, slower.
 */
export const mayGenerate: boolean = isAllowed();

/** What is told, once in a process, where it may not. */
export const plainEngineWords =
  'this Node.js forbids generated code (--disallow-code-generation-from-strings): charts are mapped by the plain ' +
  'engine, with the same results, slower';

function isAllowed(): boolean {
  try {
    return typeof new Function('') === 'function';
  } catch {
    return false;
  }
}
