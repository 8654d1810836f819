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

/** The requests that this request replaces, and the request that replaces it. */
export interface Follow {
  readonly newer?: Linked;
  readonly earlier: readonly Linked[];
}

/** `hrefOf` returns the URL of a request's page. */
export async function followOf(
  { cases }: Pick<Deps, 'cases'>,
  { id, site, patient, followed }: Case,
  hrefOf: (one: ListedCase) => string,
): Promise<Follow> {
  const ofPatient = await cases.forPatient(site, patient);
  const linked = (one: ListedCase): Linked => ({ one, href: hrefOf(one) });
  const newer = ofPatient.find((other) => other.id === followed?.case);
  const earlier = ofPatient.filter((other) => other.followed?.case === id).map(linked);
  return { earlier, ...(newer === undefined ? {} : { newer: linked(newer) }) };
}

export function FollowLinks({ newer, earlier = [], zone }: Partial<Follow> & { readonly zone: string }): VNode | null {
  const links = [...(newer === undefined ? [] : [{ text: words.by, ...newer }]), ...earlier.map(after)];
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

function after(linked: Linked): Linked & { readonly text: string } {
  return { text: words.after, ...linked };
}
