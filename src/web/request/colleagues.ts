import type { Entered, Entries, User } from '../../cases/case.ts';

/** The entries of one other person since the page was opened. */
export interface Colleague {
  readonly by: User;
  /** The time of the latest entry, ISO 8601. */
  readonly at: string;
  /** Fields, and `coverage`, `diagnoses` or `evidence` for a choice. */
  readonly targets: readonly string[];
}

/**
 * The entries of other users after `since`, the latest first. Users whom the EHR does not identify cannot be
 * distinguished, so they count as one.
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
