import type { ComponentChildren, VNode } from 'preact';
import { BesideReview, type BesideReviewView as View } from '../../ui/beside-review.tsx';

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
        <h1>
          {title} <span class="sub">{view.draft.case.title}</span>
        </h1>
        {children}
      </div>
    </BesideReview>
  );
}
