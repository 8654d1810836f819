import { asksOnly } from '../question.ts';
import { announcesOutcome } from './merge.ts';
import { type Asking, textOfAsking } from './round.ts';

/**
 * Whether outreach content may be shown before the request has ended: a question may, an outcome may not. Content
 * without a stated purpose may be shown only if it asks something and reveals no decision. Notes of the practice's own
 * people may always be shown.
 */
export function mayBeShown(
  asking: Asking,
  { hasEnded, isOwn }: { readonly hasEnded: boolean; readonly isOwn: boolean },
): boolean {
  if (hasEnded || isOwn) return true;
  if (announcesOutcome(asking)) return false;
  return /info|action|question|clarif|document|sign/i.test(asking.purpose ?? '') || asksOnly(textOfAsking(asking));
}
