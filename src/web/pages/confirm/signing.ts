import { isSigned, maySign, offersSignature, requiresSignature } from '../../../cases/signature.ts';
import type { Launch } from '../../../ehr/smart/types.ts';
import { userOf } from '../../http/user.ts';
import type { Draft } from '../../request/draft.ts';
import type { Leaves } from '../../request/leaves.ts';
import { sign } from '../sign/words.ts';
import { chosenOf } from './submission.ts';

/** The state of a request's signature, for the person who is about to send it. */
export interface Signing {
  /**
   * `off`: the site requires none; `signed`: this exact content is signed; `signs`: the viewer signs by sending;
   * `asked`: it waits for the signer; `open`: no signature was requested for this content.
   */
  readonly is: 'off' | 'signed' | 'signs' | 'asked' | 'open';
  /** Whether it may be sent now. */
  readonly mayGo: boolean;
  /** The prescriber's name. */
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

/** `Deva Loper`: the prescriber's name in a request. */
export function prescriberIn(values: Leaves): string {
  const name = [values.get('provider.first_name'), values.get('provider.last_name')].filter(Boolean).join(' ');
  return name === '' ? sign.prescriber : name;
}
