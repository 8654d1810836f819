import type { Clock } from '../base/log.ts';

/**
 * What the EHR of a site has refused although it advertises it, by what was asked: a type (`Task`) for making one, a
 * type and a way (`Task.update`) for changing one or finding it (`Task.search`).
 */
export interface Refusals {
  /** The reasons that hold for a case: what was refused to it, and what the site is known to refuse to all. */
  of(caseId: string): ReadonlyMap<string, string>;
  /**
   * `site`: the answer itself says that the EHR never does this. `case`: it may be about this one resource; it holds
   * for other cases once so many have met it, and none got through since.
   */
  note(asked: string, refusal: { readonly caseId: string; readonly reason: string; readonly of: Reaches }): void;
  /** The EHR has done it: what it refused before was of those cases. */
  accepted(asked: string): void;
  /** A person lets everything be tried again. */
  clear(): void;
}

export type Reaches = 'site' | 'case';

const rememberMs = 3_600_000;
/** A gateway's answer, or one odd resource, is met by fewer cases in a row. */
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
