import type { WithId } from '@medplum/core';
import type { Resource } from '@medplum/fhirtypes';

/** One change of a resource. `at`: milliseconds since 1970. */
interface Change {
  readonly at: number;
  readonly type: string;
  readonly id: string;
  /** Undefined if the resource did not exist. */
  readonly before: WithId<Resource> | undefined;
}

// Milliseconds for which earlier versions of a resource are kept.
const keptMs = 86_400_000;

/** Earlier versions of a store's resources. */
export class Changes {
  private changes: Change[] = [];

  add(change: Change): void {
    this.changes.push(change);
    const oldest = this.changes[0]?.at ?? change.at;
    if (oldest < change.at - 2 * keptMs) this.changes = this.changes.filter(({ at }) => at >= change.at - keptMs);
  }

  /** Returns, by id, each resource of the type that has changed after this time, as it was at this time. */
  since(type: string, time: number): ReadonlyMap<string, WithId<Resource> | undefined> {
    const before = new Map<string, WithId<Resource> | undefined>();
    for (let nth = this.changes.length - 1; nth >= 0; nth -= 1) {
      const change = this.changes[nth];
      if (change === undefined || change.at <= time) break;
      if (change.type === type) before.set(change.id, change.before);
    }
    return before;
  }

  forget(): void {
    this.changes = [];
  }
}
