import type { Clock } from '../base/log.ts';

/**
 * Operations that an EHR has refused although it advertises them. Keys: a type (`Task`) for creating; type and
 * operation for updating (`Task.update`) and searching (`Task.search`).
 */
export interface Refusals {
  /**
   * The refusals that concern a case, with their reasons: those of its own requests, and those that concern the whole
   * site.
   */
  of(caseId: string): ReadonlyMap<string, string>;
  /**
   * `site`: the response itself says that the EHR never does this. `case`: the refusal may concern only this resource.
   * It concerns the site once several cases in a row were refused.
   */
  note(asked: string, refusal: { readonly caseId: string; readonly reason: string; readonly of: Reaches }): void;
  accepted(asked: string): void;
  /** Called when a person asks to try everything again. */
  clear(): void;
}

export type Reaches = 'site' | 'case';

const rememberMs = 3_600_000;
/** Cases refused in a row. A gateway's response, or one unusual resource, affects fewer. */
const casesOfSite = 3;

interface Known {
  readonly cases: Map<string, Noted>;
  site?: Noted;
}

interface Noted {
  readonly reason: string;
  readonly at: number;
}

/** Refusals are kept in memory, each for an hour. */
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
