import { addressOf, canonicalReference, serverOf } from '../address.ts';

/**
 * The server of resources and references that state none. It is the one that the input names: a CDS Hooks request by
 * `fhirServer`, a chart or a folder by its fullUrls and absolute references, when they all name one. Where they name
 * several, nobody knows which server a resource without an address is from, so it is treated as being at none of them.
 */
export class OwnServer {
  /** Undefined until it is asked for; null where several are named. */
  private own: string | null | undefined;

  /** `bases`: the base URLs that the input names, looked for once something without an address is compared. */
  constructor(private readonly bases: () => Iterable<string>) {}

  /** Whether resources at two base URLs are at one server; undefined where no address says it. */
  isSame(one: string | undefined, other: string | undefined): boolean {
    if (one === other) return true;
    if (one !== undefined && other !== undefined) return serverOf(one) === serverOf(other);
    const own = this.named();
    // where nobody names a server, there is only one
    return own === '' || own === serverOf(one ?? other ?? '');
  }

  /** The base URL by which the one server is named; undefined where none or several are. */
  get base(): string | undefined {
    const [first] = this.named() === null ? [] : this.bases();
    return first;
  }

  /** One spelling for each target of a reference at `base`: without this server's base, one base for each other one. */
  spelled(reference: string, base?: string): string {
    const text = canonicalReference(reference, base);
    const address = text.startsWith('http') ? addressOf(text) : undefined;
    if (address?.base === undefined) return text;
    const name = `${address.type}/${address.id}`;
    return this.isSame(address.base, undefined) ? name : `${serverOf(address.base)}/${name}`;
  }

  /** The servers that are named, where there are several, each as it is spelled first. */
  get several(): readonly string[] {
    if (this.named() !== null) return [];
    return [...new Map([...this.bases()].reverse().map((base) => [serverOf(base), base])).values()].sort();
  }

  private named(): string | null {
    if (this.own === undefined) {
      const [first = '', ...others] = new Set([...this.bases()].map(serverOf));
      this.own = others.length > 0 ? null : first;
    }
    return this.own;
  }
}
