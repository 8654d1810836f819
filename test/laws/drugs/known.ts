/** Kinds of violations that are known, with the reason for each; a kind that is mended goes from here. */
export const knownKinds: readonly { readonly kind: RegExp; readonly reason: string }[] = [
  { kind: /^(WRONG|SENT)/, reason: 'the reader takes words around a name for the name' },
  { kind: /^ASKED/, reason: 'the reader does not know the words of drug files' },
];
