/**
 * The path of each leaf of a contract: `patient.address.city`, `diagnoses[].code`. A free-form part is one leaf. This
 * is the compile-time counterpart of the mapping engine's `leavesOf`.
 */
export type LeafOf<Schema, At extends string = ''> = Schema extends { readonly shape: infer Shape }
  ? { [Key in keyof Shape & string]: LeafOf<Shape[Key], At extends '' ? Key : `${At}.${Key}`> }[keyof Shape & string]
  : Schema extends { readonly element: infer Item }
    ? LeafOf<Item, `${At}[]`>
    : Schema extends { unwrap(): infer Inner }
      ? LeafOf<Inner, At>
      : At;
