/** A case of FHIRPath's own test suite that the compiler turns away. */
export interface RefusedCase {
  /** The suite's name of the case. */
  readonly name: string;
  readonly expression: string;
  readonly reason: RegExp;
  /** What stands where the refusal points to. */
  readonly at: string;
  /** The suite has it because it is no FHIRPath. */
  readonly malformed?: true;
}

/** Cases of one reason: the suite's name of each and its expression. */
export type Expressions = Readonly<Record<string, string>>;

export function noFunction(name: string, cases: Expressions): RefusedCase[] {
  return refusedAt(
    `${name}(`,
    new RegExp(`^the function ${name}\\(\\) is not part of the subset; it has where, `),
    cases,
  );
}

export function noSign(sign: string, cases: Expressions): RefusedCase[] {
  return refusedAt(sign, new RegExp(`^"\\${sign.charAt(0)}" is not part of the FHIRPath subset$`), cases);
}

/** A literal of a quantity (`4 'g'`, `7 days`) or an operator of arithmetic: the parser had read a whole expression before it. */
export function unexpected(text: string, cases: Expressions): RefusedCase[] {
  return refusedAt(text, new RegExp(`^"${escaped(text)}" is not expected here$`), cases);
}

/** JSON does not write the type of a literal or of an element that is no choice. */
export function noType(at: string, cases: Expressions): RefusedCase[] {
  return refusedAt(at, /^(is|as|ofType)\(\w+\) can only follow a choice element/, cases);
}

export function systemType(cases: Expressions): RefusedCase[] {
  return refusedAt('System.', /^only types of FHIR are part of the subset$/, cases);
}

export function noVariable(name: string, cases: Expressions): RefusedCase[] {
  return refusedAt(`%\`${name}\``, new RegExp(`^%${name} is not part of the subset$`), cases);
}

export function noSpecial(name: string, cases: Expressions): RefusedCase[] {
  return refusedAt(name, new RegExp(`^"\\${name}" is not part of the FHIRPath subset; only \\$this is$`), cases);
}

export function refusedAt(at: string, reason: RegExp, cases: Expressions): RefusedCase[] {
  return Object.entries(cases).map(([name, expression]) => ({ name, expression, reason, at }));
}

export function malformed(cases: readonly RefusedCase[]): RefusedCase[] {
  return cases.map((one) => ({ ...one, malformed: true }));
}

function escaped(text: string): string {
  return text.replaceAll(/[[\]()*+?.]/g, '\\$&');
}
