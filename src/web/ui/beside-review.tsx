import type { ComponentChildren, VNode } from 'preact';
import { search } from '../pages/documents/words.ts';
import type { Visit } from '../pages/launch/route.ts';
import type { Draft } from '../request/draft.ts';
import { Page } from './page.tsx';

export interface BesideReviewView extends Pick<Visit, 'launch' | 'home' | 'token'> {
  readonly draft: Draft;
  /** The URL of the review page. */
  readonly review: string;
  readonly patientMark: string;
}

interface BesideReviewProps {
  readonly view: BesideReviewView;
  /** The title in the browser's history. It must not contain patient data. */
  readonly page: string;
  readonly children: ComponentChildren;
}

/** A page that is opened from the review page and leads back to it. */
export function BesideReview({
  view: { launch, home, token, draft, review },
  page,
  children,
}: BesideReviewProps): VNode {
  return (
    <Page
      title={page}
      session={launch}
      home={home}
      token={token}
      banner={launch.needPatientBanner ? draft.case.banner : undefined}
      assets={['documents.css']}
    >
      <p class="crumb">
        <a href={review}>{search.back}</a>
      </p>
      {children}
    </Page>
  );
}

/** The hidden fields of every form on a page beside the review. */
export function Hidden({ view: { token, patientMark } }: { readonly view: BesideReviewView }): VNode {
  return (
    <>
      <input type="hidden" name="token" value={token} />
      <input type="hidden" name="patient" value={patientMark} />
    </>
  );
}
