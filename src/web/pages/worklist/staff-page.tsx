import type { ComponentChildren, VNode } from 'preact';
import { Page, type PageProps } from '../../ui/page.tsx';
import type { StaffVisit } from './worklist-access.ts';

interface StaffPageProps extends Pick<PageProps, 'title' | 'banner' | 'assets'> {
  readonly view: StaffVisit;
  readonly children: ComponentChildren;
}

/** A page of the worklist, for a signed-in person with or without an open chart. */
export function StaffPage({ view: { staff, home, token }, assets = [], ...props }: StaffPageProps): VNode {
  return (
    <Page session={staff} home={home} token={token} within="worklist" assets={['worklist.css', ...assets]} {...props} />
  );
}
