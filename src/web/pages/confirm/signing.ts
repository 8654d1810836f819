import { isSigned, maySign, offersSignature, requiresSignature } from '../../../cases/signature.ts';
import type { Launch } from '../../../ehr/smart/types.ts';
import { userOf } from '../../http/user.ts';
import type { Draft } from '../../request/draft.ts';
import type { Leaves } from '../../request/leaves.ts';
import { sign } from '../sign/words.ts';
import { chosenOf } from './submission.ts';

/** The state of a request's signature, as the person who is about to send it sees it. */
export interface Signing {
  /**
   * `off`: the site has no signatures; `signed`: exactly this content is signed; `signs`: the viewer signs by sending;
   * `asked`: the content waits for the signer; `open`: nobody has asked for a signature of this content.
   */
  readonly is: 'off' | 'signed' | 'signs' | 'asked' | 'open';
  /** true if the request may be sent now. */
  readonly mayGo: boolean;
  /** The prescriber's name as stated in the request. */
  readonly prescriber: string;
}

export function signingOf({ site, ...user }: Launch, draft: Draft, digest: string): Signing {
  const { kind, case: one, values } = draft;
  const { signature, restricted } = one;
  const is = (): Signing['is'] => {
    if (!offersSignature(site, kind)) return 'off';
    if (isSigned(signature, digest)) return 'signed';
    const { prescriber = one.prescriber } = chosenOf(draft);
    if (maySign(site, { prescriber, restricted }, userOf(user))) return 'signs';
    return signature?.state === 'asked' && signature.digest === digest ? 'asked' : 'open';
  };
  const found = is();
  const mayGo = found === 'off' || found === 'signed' || !requiresSignature(site, kind);
  return { is: found, mayGo, prescriber: prescriberIn(values) };
}

/** The prescriber's name as stated in a request: `Deva Loper`. */
export function prescriberIn(values: Leaves): string {
  const name = [values.get('provider.first_name'), values.get('provider.last_name')].filter(Boolean).join(' ');
  return name === '' ? sign.prescriber : name;
}
