import { addressOf, canonicalReference, serverOf } from '../address.ts';

/**
 * The server of resources and references without an address. It is the server that the input names: in a CDS Hooks
 * request by `fhirServer`, in a chart or a folder by the fullUrls and absolute references if they agree. If they name
 * several servers, a resource without an address is treated as being at none of them.
 */
export class OwnServer {
  /** Undefined until first use; null where several servers are named. */
  private own: string | null | undefined;

  /** `bases`: the base URLs that the input names, collected only when an address without a server is compared. */
  constructor(private readonly bases: () => Iterable<string>) {}

  /** Whether resources at two base URLs are at one server. A missing base stands for the own server. */
  isSame(one: string | undefined, other: string | undefined): boolean {
    if (one === other) return true;
    if (one !== undefined && other !== undefined) return serverOf(one) === serverOf(other);
    const own = this.named();
    // If the input names no server, everything is at one server.
    return own === '' || own === serverOf(one ?? other ?? '');
  }

  /** The base URL of the own server; undefined when none or several are named. */
  get base(): string | undefined {
    const [first] = this.named() === null ? [] : this.bases();
    return first;
  }

  /**
   * The canonical spelling of a reference at `base`: without the base of the own server, and with a single spelling of
   * the base of each other server.
   */
  spelled(reference: string, base?: string): string {
    const text = canonicalReference(reference, base);
    const address = text.startsWith('http') ? addressOf(text) : undefined;
    if (address?.base === undefined) return text;
    const name = `${address.type}/${address.id}`;
    return this.isSame(address.base, undefined) ? name : `${serverOf(address.base)}/${name}`;
  }

  /** The servers that the input names, if there are several. Each is spelled as it first occurs in the input. */
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
