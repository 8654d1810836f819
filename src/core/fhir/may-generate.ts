/**
 * Whether this host allows functions to be built from source text. If not (`--disallow-code-generation-from-strings`),
 * the fast forms of paths, criteria, searches and checks are replaced by the general ones: the same results, slower.
 */
export const mayGenerate: boolean = isAllowed();

/** The warning that is given once per process if code generation is not allowed. */
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
