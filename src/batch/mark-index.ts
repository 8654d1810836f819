/**
 * Finds places by texts, in about ten bytes a place: of a text only 27 bits are kept, so that places of another text
 * may be found with those that are meant.
 */
export class MarkIndex {
  private readonly lists = Array.from({ length: listCount }, () => ({ values: new Float64Array(16), length: 0 }));

  add(text: string, place: number): void {
    if (place >= places) throw new RangeError('a place has 32 bits');
    const mark = markOf(text);
    const list = this.listOf(mark);
    if (list.length === list.values.length) {
      const larger = new Float64Array(Math.ceil(list.length * 1.5));
      larger.set(list.values);
      list.values = larger;
    }
    list.values[list.length] = Math.floor(mark / listCount) * places + place;
    list.length += 1;
  }

  /** Ends the adding. */
  end(): void {
    for (const list of this.lists) {
      list.values = list.values.slice(0, list.length);
      list.values.sort();
    }
  }

  /** Takes places out again, after `end`. */
  remove(removed: ReadonlySet<number>): void {
    for (const list of this.lists) list.values = list.values.filter((value) => !removed.has(value % places));
  }

  /** The places that were added with a text of the same mark, in ascending order. */
  find(text: string): readonly number[] {
    const mark = markOf(text);
    const { values } = this.listOf(mark);
    const rest = Math.floor(mark / listCount);
    const first = firstAtLeast(values, rest * places);
    let end = first;
    while (end < values.length && markIn(values[end]) === rest) end += 1;
    return end === first ? none : placesIn(values, first, end);
  }

  /** Places whose texts have the same mark, where there are several. */
  *several(): Generator<readonly number[]> {
    for (const { values } of this.lists)
      for (let first = 0, end = 0; first < values.length; first = end) {
        while (end < values.length && markIn(values[end]) === markIn(values[first])) end += 1;
        const found = end - first === 1 ? none : placesIn(values, first, end);
        if (found.length > 1) yield found;
      }
  }

  private listOf(mark: number) {
    const list = this.lists[mark % listCount];
    if (list === undefined) throw new RangeError('there is a list for every mark');
    return list;
  }
}

/** In many lists only one at a time is copied when it grows. */
const listCount = 64;
/** What is left of a mark and a place are one float: 21 and 32 bits. */
const places = 2 ** 32;
const none: readonly number[] = [];

function placesIn(values: Float64Array, first: number, end: number): readonly number[] {
  const found: number[] = [];
  for (let at = first; at < end; at += 1) {
    const place = (values[at] ?? 0) % places;
    if (place !== found.at(-1)) found.push(place);
  }
  return found;
}

function markIn(value = 0): number {
  return Math.floor(value / places);
}

function firstAtLeast(values: Float64Array, wanted: number): number {
  let [low, high] = [0, values.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((values[middle] ?? 0) < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}

function markOf(text: string): number {
  let mark = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) mark = Math.imul(mark ^ text.charCodeAt(at), 0x01000193);
  mark = Math.imul(mark ^ (mark >>> 16), 0x85ebca6b);
  mark = Math.imul(mark ^ (mark >>> 13), 0xc2b2ae35);
  return (mark ^ (mark >>> 16)) >>> 5;
}
