import type { WithId } from '@medplum/core';
import type { Resource } from '@medplum/fhirtypes';

/** A resource became another one at a time, in milliseconds since 1970. */
interface Change {
  readonly at: number;
  readonly type: string;
  readonly id: string;
  /** Undefined when it was not there. */
  readonly before: WithId<Resource> | undefined;
}

// For so long is known what a resource was before.
const rememberedMs = 86_400_000;

/** What the resources of a store were before they became what they are. */
export class Changes {
  private changes: Change[] = [];

  add(change: Change): void {
    this.changes.push(change);
    const oldest = this.changes[0]?.at ?? change.at;
    if (oldest < change.at - 2 * rememberedMs)
      this.changes = this.changes.filter(({ at }) => at >= change.at - rememberedMs);
  }

  /** By id: each resource of the type that was changed after this time, as it was then. */
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
