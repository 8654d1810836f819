import type { Entered, Entries, User } from '../../cases/case.ts';

/** What one other person entered since the page was opened. */
export interface Colleague {
  readonly by: User;
  /** When that person last entered something, ISO 8601. */
  readonly at: string;
  /** Targets of fields, or `coverage`, `diagnoses` or `evidence` for a choice. */
  readonly targets: readonly string[];
}

/**
 * What other users entered after `since`, the latest user first. Users whom the EHR does not identify look alike, so
 * they count as one.
 */
export function colleaguesSince(
  { enteredBy = {} }: Pick<Entries, 'enteredBy'>,
  { user, since }: { readonly user: User; readonly since: string },
): Colleague[] {
  const others = Object.entries(enteredBy).filter(
    (entry): entry is [string, Entered & { readonly at: string }] =>
      entry[1].at !== undefined && entry[1].at > since && keyOf(entry[1]) !== keyOf(user),
  );
  return [...Map.groupBy(others, ([, by]) => keyOf(by)).values()]
    .flatMap((entries) => {
      const latest = entries.map(([, by]) => by).toSorted((one, other) => other.at.localeCompare(one.at))[0];
      return latest === undefined
        ? []
        : [
            colleague(
              latest,
              entries.map(([target]) => target),
            ),
          ];
    })
    .toSorted((one, other) => other.at.localeCompare(one.at));
}

function colleague({ at, ...by }: Entered & { readonly at: string }, targets: readonly string[]): Colleague {
  return { by, at, targets };
}

function keyOf({ fhirUser, name }: User): string {
  return fhirUser ?? name ?? '';
}
