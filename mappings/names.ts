/**
 * The names of the mappings on the command line. They are separate from the mappings, which take half a second to load,
 * because help and a mistyped name need no rules. A test compares the two.
 */
export const mappingNames: readonly string[] = [
  ...['prior-auth', 'prior-auth-current', 'prior-auth-coded', 'prior-auth@valley'],
  ...['enrollment', 'enrollment@valley'],
  ...['benefit-verification', 'benefit-verification@valley'],
  ...['answers', 'answers@valley'],
];
