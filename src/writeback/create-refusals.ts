import type { Clock } from '../base/log.ts';

/**
 * The operations that the EHR of a site has refused although it advertises them, by key: a type (`Task`) for creating,
 * a type and operation (`Task.update`) for updating or searching (`Task.search`).
 */
export interface Refusals {
  /**
   * The refusals that apply to a case, with their reasons: those of its own requests, and those that are known to apply
   * to the whole site.
   */
  of(caseId: string): ReadonlyMap<string, string>;
  /**
   * `site`: the answer itself says that the EHR never does this. `case`: the refusal may concern only this resource; it
   * applies to the whole site once several cases in a row were refused without a success in between.
   */
  note(asked: string, refusal: { readonly caseId: string; readonly reason: string; readonly of: Reaches }): void;
  /** The EHR has accepted the operation, so earlier refusals were specific to their cases. */
  accepted(asked: string): void;
  /** A person allows everything to be tried again. */
  clear(): void;
}

export type Reaches = 'site' | 'case';

const rememberMs = 3_600_000;
/** A gateway's answer, or a single unusual resource, affects fewer cases in a row. */
const casesOfSite = 3;

interface Known {
  readonly cases: Map<string, Noted>;
  site?: Noted;
}

interface Noted {
  readonly reason: string;
  readonly at: number;
}

/** Kept in memory, each refusal for an hour. */
export function createRefusals(clock: Clock): Refusals {
  const known = new Map<string, Known>();
  const now = () => clock().getTime();
  const isFresh = (noted: Noted | undefined) => noted !== undefined && now() - noted.at < rememberMs;
  return {
    of(caseId) {
      const held = [...known].flatMap(([asked, { site, cases }]) => {
        const noted = [site, cases.get(caseId)].find(isFresh);
        return noted === undefined ? [] : [[asked, noted.reason] as const];
      });
      return new Map(held);
    },
    note(asked, { caseId, reason, of }) {
      const noted = { reason, at: now() };
      const cases = new Map([...(known.get(asked)?.cases ?? [])].filter(([, each]) => isFresh(each)));
      cases.set(caseId, noted);
      const isOfSite = of === 'site' || cases.size >= casesOfSite;
      known.set(asked, { cases, ...(isOfSite ? { site: noted } : {}) });
    },
    accepted: (asked) => void known.delete(asked),
    clear: () => known.clear(),
  };
}
