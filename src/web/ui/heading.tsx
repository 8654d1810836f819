import type { ComponentChildren, VNode } from 'preact';

interface HeadingProps {
  readonly title: string;
  /** What stands under the title. */
  readonly children: ComponentChildren;
  /** A page that is read from its title on when it opens. */
  readonly isStart?: boolean;
}

/** The title of a page with a line under it, which is no part of the title's name. */
export function Heading({ title, children, isStart = false }: HeadingProps): VNode {
  return (
    <hgroup>
      <h1 {...(isStart ? { id: 'title', tabIndex: -1 } : {})}>{title}</h1>
      <p class="sub">{children}</p>
    </hgroup>
  );
}
