import type { VNode } from 'preact';
import { type Case, isSent, type ListedCase } from '../../../cases/case.ts';
import type { Deps } from '../../http/deps.ts';
import { caseBadge } from '../../ui/status.tsx';
import { Time } from '../../ui/time.tsx';
import { follow as words } from './words.ts';

interface Linked {
  readonly one: ListedCase;
  readonly href: string;
}

/** The requests that this request replaces, and those that replace it. */
export interface Follow {
  readonly newer: readonly Linked[];
  readonly earlier: readonly Linked[];
  /** Requests that were meant to replace this one, but were canceled. */
  readonly newerCanceled: readonly Linked[];
  /** Requests that this one was meant to replace before it was canceled. */
  readonly earlierAgain: readonly Linked[];
}

/** Finds the patient's other requests that replace this one or that it replaces, each with the URL of its page. */
export async function followOf(
  { cases }: Pick<Deps, 'cases'>,
  whole: Case,
  hrefOf: (one: ListedCase) => string,
): Promise<Follow> {
  const ofPatient = await cases.forPatient(whole.site, whole.patient);
  const linked = (which: (other: ListedCase) => boolean) =>
    ofPatient.filter(which).map((one) => ({ one, href: hrefOf(one) }));
  return {
    newer: linked(({ id }) => id === whole.followed?.case),
    earlier: linked(({ followed }) => followed?.case === whole.id),
    newerCanceled: linked((other) => wasFollowedBy(whole, other)),
    earlierAgain: linked((other) => wasFollowedBy(other, whole)),
  };
}

function wasFollowedBy({ events, followed }: ListedCase, newer: ListedCase): boolean {
  if (followed?.case === newer.id || !isCanceled(newer)) return false;
  return events.some(({ type, facts }) => type === 'followed' && facts.case === newer.id);
}

function isCanceled(one: ListedCase): boolean {
  return one.state === 'ended' && 'status' in one && one.status === 'cancelled';
}

export function FollowLinks({ follow, zone }: { readonly follow: Follow; readonly zone: string }): VNode | null {
  const links = [
    ...follow.newer.map(withText(words.by)),
    ...follow.newerCanceled.map(withText(words.byCanceled)),
    ...follow.earlier.map(withText(words.after)),
    ...follow.earlierAgain.map(withText(words.afterCanceled)),
  ];
  if (links.length === 0) return null;
  return (
    <ul class="plain follows">
      {links.map(({ text, one, href }) => (
        <li key={one.id}>
          <a href={href}>{text}</a>
          {isSent(one) && (
            <>
              , sent <Time at={one.sentAt} zone={zone} />
            </>
          )}{' '}
          {caseBadge(one)}
        </li>
      ))}
    </ul>
  );
}

function withText(text: string): (linked: Linked) => Linked & { readonly text: string } {
  return (linked) => ({ ...linked, text });
}
