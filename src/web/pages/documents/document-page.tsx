import type { ComponentChildren, VNode } from 'preact';
import { BesideReview, type BesideReviewView as View } from '../../ui/beside-review.tsx';
import { Heading } from '../../ui/heading.tsx';

/** A page about one document of a request. */
export function DocumentPage({
  view,
  title,
  page,
  children,
}: {
  readonly view: View;
  readonly title: string;
  /** For the browser's history, which may hold no patient data. */
  readonly page: string;
  readonly children: ComponentChildren;
}): VNode {
  return (
    <BesideReview view={view} page={page}>
      <div id="preview">
        <Heading title={title}>{view.draft.case.title}</Heading>
        {children}
      </div>
    </BesideReview>
  );
}
