import type { ComponentChildren, VNode } from 'preact';
import { BesideReview, type BesideReviewView as View } from '../../ui/beside-review.tsx';
import { Heading } from '../../ui/heading.tsx';

export function DocumentPage({
  view,
  title,
  page,
  children,
}: {
  readonly view: View;
  readonly title: string;
  /** The title in the browser's history. It must not contain patient data. */
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
