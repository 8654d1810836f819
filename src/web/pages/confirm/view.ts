import type { Case, Ended } from '../../../cases/case.ts';
import type { Gap, MappingResult } from '../../../core/mapping/result.ts';
import type { Launch } from '../../../ehr/smart/types.ts';
import { type Draft, digestOf } from '../../request/draft.ts';
import { sectionsOf } from '../../request/fitted-sections.ts';
import { kindPages } from '../../request/kind-pages.ts';
import type { SectionSpec } from '../../request/labels.ts';
import type { OrderDeps } from '../../request/order-request.ts';
import { othersOf } from '../../request/other-requests.ts';
import { gapsOutsideBody } from '../../request/outside-body.ts';
import type { Visit } from '../launch/route.ts';

/** All that the page shows on which a request is checked and sent. */
export interface ConfirmView {
  readonly launch: Launch;
  readonly draft: Draft;
  readonly sections: readonly SectionSpec[];
  readonly home: string;
  readonly review: string;
  readonly token: string;
  readonly patientMark: string;
  /** The request as it will be sent, and the mark that tells it from any other. */
  readonly result: MappingResult<unknown>;
  readonly body: unknown;
  readonly digest: string;
  /** Finished requests for the same order, newest first. */
  readonly earlier: readonly Ended[];
  /** Requests for the same drug and prescriber that are under way. */
  readonly duplicates: readonly Case[];
  /** Open points outside the body that only warn. */
  readonly open: readonly Gap[];
  /** That sending was tried without the site's statement. */
  readonly isUnattested: boolean;
}

/** What is sent, once more looked at; `result` is complete. */
export async function confirmViewOf(
  { deps, kind }: OrderDeps,
  opened: Visit,
  draft: Draft,
  { result, body, review, isUnattested }: Pick<ConfirmView, 'result' | 'body' | 'review' | 'isUnattested'>,
): Promise<ConfirmView> {
  const { site, patient, id } = draft.case;
  return {
    ...opened,
    draft,
    earlier: (await othersOf(deps, draft)).earlier,
    sections: sectionsOf(kindPages[kind].sections, draft.schema),
    open: gapsOutsideBody(draft, deps.clock()),
    review,
    patientMark: deps.cases.patientMark(site, patient),
    duplicates: await deps.cases.duplicates(id, body),
    result,
    body,
    digest: digestOf(result),
    isUnattested,
  };
}
