/**
 * The names by which the command line knows the mappings. They stand beside the mappings, which take half a second to
 * load: help and a mistyped name need no rule. A test compares the two.
 */
export const mappingNames: readonly string[] = [
  ...['prior-auth', 'prior-auth-current', 'prior-auth-coded', 'prior-auth@valley'],
  ...['enrollment', 'enrollment@valley'],
  ...['benefit-verification', 'benefit-verification@valley'],
  ...['answers', 'answers@valley'],
];
