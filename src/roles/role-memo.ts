/**
 * What is known of the roles of one run, by name. A chart fills nearly all of them: places that are counted once for
 * the table spare each run a map that grows with every role.
 */
export class RoleMemo<T> {
  private readonly values: (T | undefined)[];

  /** `places` are the numbers of the roles, from 0 on. A role that has none is never known. */
  constructor(private readonly places: ReadonlyMap<string, number>) {
    this.values = new Array(places.size).fill(undefined);
  }

  get(role: string): T | undefined {
    const place = this.places.get(role);
    return place === undefined ? undefined : this.values[place];
  }

  set(role: string, value: T): void {
    const place = this.places.get(role);
    if (place !== undefined) this.values[place] = value;
  }
}
