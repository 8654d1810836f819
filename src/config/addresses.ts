import { BlockList, isIP } from 'node:net';
import { z } from 'zod';

/** A URL; its trailing slashes are removed. */
export const url = z.url({ protocol: /^https?$/ }).transform((value) => value.replace(/\/+$/, ''));
export const origin = z.url({ protocol: /^https?$/ }).transform((value) => new URL(value).origin);

/** The URL of the bridge. It ends after the host, because cookies and pages of the bridge are at the root. */
export const ownAddress = url
  .refine(isSafeAddress, 'must be https (http is allowed on localhost)')
  .refine(
    (value) => value === new URL(value).origin,
    'must end after the host: the bridge stands at the root of a host name of its own and works under no path',
  );

/** IP addresses and networks of reverse proxies, comma-separated: `10.0.0.7, 10.1.0.0/16, ::1`. */
export const proxies = z
  .string()
  .refine(
    (text) => networksOf(text).every(isNetwork),
    'must be IP addresses or networks such as 10.1.0.0/16, comma-separated',
  );

export function networksOf(text: string): string[] {
  return text.split(',').map((part) => part.trim());
}

/** Whether the address uses https or is on this machine. */
export function isSafeAddress(address: string): boolean {
  const { protocol, hostname } = new URL(address);
  return protocol === 'https:' || ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
}

/**
 * Returns the canonical form of an issuer's URL; undefined if it cannot be one. Only the case of the host, a default
 * port and trailing slashes are ignored.
 */
export function canonicalIssuer(iss: string): string | undefined {
  if (
    iss.length > 2048 ||
    !/^https?:\/\/[\x21-\x7e]+$/i.test(iss) ||
    /[\\?#@]|%2e|%2f|\/\.{1,2}(\/|$)/i.test(iss) ||
    !URL.canParse(iss)
  )
    return undefined;
  return new URL(iss).href.replace(/\/+$/, '');
}

function isNetwork(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  const family = isIP(address);
  if (family === 0 || rest.length > 0) return false;
  return (
    bits === undefined || (/^\d{1,3}$/.test(bits) && canBlock(address, Number(bits), family === 4 ? 'ipv4' : 'ipv6'))
  );
}

function canBlock(address: string, bits: number, family: 'ipv4' | 'ipv6'): boolean {
  try {
    new BlockList().addSubnet(address, bits, family);
    return true;
  } catch {
    return false;
  }
}
