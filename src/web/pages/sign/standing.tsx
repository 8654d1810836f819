import type { VNode } from 'preact';
import { userText } from '../../../cases/case.ts';
import type { Signature } from '../../../cases/signature.ts';
import { Time } from '../../ui/time.tsx';
import { signatureWords, sign as words } from './words.ts';

interface StandingProps {
  readonly signature: Signature;
  readonly zone: string;
  readonly prescriber: string | undefined;
  /** The URL at which the reader signs; absent if the reader cannot sign now. */
  readonly toSign?: string | undefined;
  /** true if the heading above already states the status and its meaning. */
  readonly isNamed?: boolean;
}

/** The state of a draft's signature: who submitted it for signature, who signed or returned it, when, and the note. */
export function SignatureStanding({ signature, zone, prescriber, toSign, isNamed = false }: StandingProps): VNode {
  const { label, meaning } = signatureWords(signature, prescriber);
  const { state, isChanged, note } = signature;
  const isGood = state === 'signed' && !isChanged;
  return (
    <div class={isGood ? 'notice good signature' : 'notice signature'} id="signature">
      <p>
        {!isNamed && <strong>{label}</strong>} <When signature={signature} zone={zone} />
      </p>
      {note !== undefined && <blockquote>{note}</blockquote>}
      {!isNamed && <p>{meaning}</p>}
      {toSign !== undefined && (
        <p class="actions">
          <a class="button go" href={toSign}>
            {words.toSign}
          </a>
        </p>
      )}
    </div>
  );
}

function When({
  signature: { state, isChanged, settledAt, askedAt, askedBy },
  zone,
}: Pick<StandingProps, 'signature' | 'zone'>): VNode | null {
  if (state !== 'asked') return settledAt === undefined ? null : <Time at={settledAt} zone={zone} />;
  if (askedAt === undefined) return null;
  const by = isChanged ? words.changedBy : words.askedBy;
  return (
    <>
      {!isChanged && `${words.since} `}
      <Time at={askedAt} zone={zone} />
      {askedBy !== undefined && by(userText(askedBy))}
    </>
  );
}

/** `, signed by Dr. Deva Loper Nov 21, 2026, 9:44 AM`, for a sent request; null without a signature. */
export function SignedLine({ signature, zone }: { readonly signature: Signature | undefined; readonly zone: string }) {
  if (signature?.state !== 'signed' || signature.settledAt === undefined || signature.settledBy === undefined)
    return null;
  return (
    <>
      {words.signedBy(userText(signature.settledBy))} <Time at={signature.settledAt} zone={zone} />
    </>
  );
}
