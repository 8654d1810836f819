import type { Resource } from 'fhir/r4.js';
import { containedIn } from '../is-resource.ts';
import type { Decoded } from '../shape/read-shape.ts';
import type { Decoding } from './damage.ts';

interface Holder {
  readonly reference: string;
  readonly resource: Resource;
  readonly decoded: readonly Decoded[];
}

interface Place {
  readonly resource: string;
  readonly path: string;
}

/** The texts of a chart that were damaged and could be decoded, by place. */
export class DecodedTexts {
  private readonly byResource = new Map<string, Decoded[]>();

  add({ reference, resource, decoded }: Holder): void {
    for (const { path, ...how } of decoded) {
      const [, index, below = ''] = /^contained\[(\d+)\]\.(.*)$/.exec(path) ?? [];
      const inner = index === undefined ? undefined : containedIn(resource)[Number(index)];
      if (inner === undefined) this.put(reference, { path: `${resource.resourceType}.${path}`, ...how });
      else {
        const name = `${inner.resourceType}/${inner.id} in ${reference}`;
        this.put(name, { path: `${inner.resourceType}.${below}`, ...how });
      }
    }
  }

  /**
   * How the text of a value at a place was decoded. If there are several texts below the place, the first one that
   * shares a word with the value counts.
   */
  decodingOf(value: string, { resource, path }: Place): Decoding | undefined {
    return this.byResource.get(resource)?.find((one) => isAtOrBelow(one.path, path) && shareWords(one.text, value));
  }

  private put(reference: string, decoded: Decoded): void {
    this.byResource.set(reference, [...(this.byResource.get(reference) ?? []), decoded]);
  }
}

// A name that was built from the decoded text shares words with it. A code beside the text does not.
function shareWords(one: string, other: string): boolean {
  const words = new Set(wordsOf(one));
  return wordsOf(other).some((word) => words.has(word));
}

function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [text];
}

// A place that refers to all items of a list has no index.
function isAtOrBelow(text: string, path: string): boolean {
  const [steps, above] = [text.split('.'), path.split('.')];
  return above.every((step, at) => step === steps[at] || step === steps[at]?.replace(/\[\d+\]$/, ''));
}
