import type { ComponentChildren, VNode } from 'preact';
import { Page, type PageProps } from '../../ui/page.tsx';
import type { StaffVisit } from './worklist-access.ts';

interface StaffPageProps extends Pick<PageProps, 'title' | 'banner' | 'assets'> {
  readonly view: StaffVisit;
  readonly children: ComponentChildren;
}

/** A page outside of a chart for the signed-in person, even if they have a chart open. */
export function StaffPage({ view: { staff, home, token }, assets = [], ...props }: StaffPageProps): VNode {
  return (
    <Page session={staff} home={home} token={token} within="worklist" assets={['worklist.css', ...assets]} {...props} />
  );
}
