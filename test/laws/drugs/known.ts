/** Violations that stay, each with its reason: what is asked rightly, or what no words can tell. */
export const known: readonly { readonly of: RegExp; readonly reason: string }[] = [
  {
    of: /\[(?:Lenvima \d+|Cometriq 60 MG Daily Dose Carton)\] as "/,
    reason:
      'two amounts in one text ("Lenvima 10 10 mg capsule"): the strength is asked, and until then the text ' +
      'stays whole',
  },
  {
    of: /\[Prepopik\] as .*"/,
    reason: 'a comma before three digits other than 000 ("3,500 mg") may be a decimal sign, so the strength is asked',
  },
  {
    of: /\[Ambifed CD\] as RxNorm beside/,
    reason: 'CD is a kind of release too, so a text beside a plain form is asked',
  },
  {
    of: /\(Oka-Merck\) strain .* as /,
    reason: 'words in parentheses inside a vaccine’s name: no request for one was seen',
  },
  {
    of: new RegExp(
      String.raw`\[(?:Gynol II|Lo Loestrin Fe 28 Day|Lortuss EX|M-End PE|Red Cross Canker Sore|` +
        String.raw`Tronolane Anesthetic|VCF Contraceptive|Ambifed CD)\] as "[^:]*$`,
    ),
    reason:
      'a brand of several words that no table has: either word may be no part of the name, so a text alone is asked',
  },
  {
    of: /\[Humira Pen - Psoriasis Starter Pack\] as "/,
    reason: 'a trade name with a dash and words of a pack inside is no certain name, so it is asked',
  },
  {
    of: /\[Trumenba\] as "/,
    reason: 'two antigens of one bacterium with numbers in their names: no request for a vaccine was seen',
  },
];
