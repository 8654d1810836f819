import { asksOnly } from '../question.ts';
import { tellsOutcome } from './merge.ts';
import { type Asking, textOfAsking } from './round.ts';

/**
 * Whether what was sent may be shown before the request has ended: a question may, an outcome may not, and what the
 * service gives no purpose for only where its text asks and decides nothing. What people here noted may.
 */
export function mayBeShown(
  asking: Asking,
  { hasEnded, isOwn }: { readonly hasEnded: boolean; readonly isOwn: boolean },
): boolean {
  if (hasEnded || isOwn) return true;
  if (tellsOutcome(asking)) return false;
  return /info|action|question|clarif|document|sign/i.test(asking.purpose ?? '') || asksOnly(textOfAsking(asking));
}
