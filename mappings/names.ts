/**
 * The names of the mappings on the command line, apart from the mappings: those take half a second to load, and help or
 * a mistyped name needs no rules. A test compares the two lists.
 */
export const mappingNames: readonly string[] = [
  ...['prior-auth', 'prior-auth-current', 'prior-auth-coded', 'prior-auth@valley'],
  ...['enrollment', 'enrollment@valley'],
  ...['benefit-verification', 'benefit-verification@valley'],
  ...['answers', 'answers@valley'],
];
