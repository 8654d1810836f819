import type { Case, ListedEnded } from '../../../cases/case.ts';
import type { CellName } from '../../../core/contract/answers-sheet.ts';
import type { Gap, MappingResult } from '../../../core/mapping/result.ts';
import type { Launch } from '../../../ehr/smart/types.ts';
import { type Draft, digestOf } from '../../request/draft.ts';
import { sectionsOf } from '../../request/fitted-sections.ts';
import { kindPages } from '../../request/kind-pages.ts';
import type { SectionSpec } from '../../request/labels.ts';
import type { OrderDeps } from '../../request/order-request.ts';
import { othersOf } from '../../request/other-requests.ts';
import { gapsOutsideBody } from '../../request/outside-body.ts';
import { cellsLeftByChange, type PayerAnswers } from '../../request/payer-answers.ts';
import { repeatedIn } from '../../request/same-as-denied.ts';
import type { Visit } from '../launch/route.ts';
import { type Signing, signingOf } from './signing.ts';

export interface ConfirmView {
  readonly launch: Launch;
  readonly draft: Draft;
  readonly sections: readonly SectionSpec[];
  readonly home: string;
  readonly review: string;
  readonly token: string;
  readonly patientMark: string;
  /** The request as it will be sent, and the digest that identifies it. */
  readonly result: MappingResult<unknown>;
  readonly body: unknown;
  readonly digest: string;
  /** Finished requests for the same order, newest first. */
  readonly earlier: readonly ListedEnded[];
  /** The ids of the `earlier` requests that were denied and have the same content. */
  readonly repeats: readonly string[];
  /** Open requests for the same drug and prescriber. */
  readonly duplicates: readonly Case[];
  /** The cells with an answer that is not sent because it contradicts what a person changed in the request. */
  readonly leftByChange: readonly CellName[];
  /** Open points outside the body that are only warnings. */
  readonly open: readonly Gap[];
  readonly signing: Signing;
  /** What the person tried before: sending without the site's attestation, or without a signature. */
  readonly notice?: 'unattested' | 'unsigned' | undefined;
}

/** A complete result with the answers that are sent with it, and the page that shows it. */
interface Shown extends Pick<ConfirmView, 'result' | 'body' | 'review' | 'notice'> {
  readonly going: PayerAnswers | undefined;
}

/** The view of a complete `result` before it is sent. */
export async function confirmViewOf(
  { deps, kind }: OrderDeps,
  opened: Visit,
  draft: Draft,
  { going, ...shown }: Shown,
): Promise<ConfirmView> {
  const { site, patient, id } = draft.case;
  const { result, body } = shown;
  const digest = digestOf(result);
  const { earlier, denied } = await othersOf(deps, draft);
  return {
    ...opened,
    ...shown,
    draft,
    earlier,
    repeats: repeatedIn(result, denied),
    sections: sectionsOf(kindPages[kind].sections, draft.schema),
    open: gapsOutsideBody(draft, deps.clock()),
    leftByChange: cellsLeftByChange(going),
    patientMark: deps.cases.patientMark(site, patient),
    duplicates: await deps.cases.duplicates(id, body),
    digest,
    signing: signingOf(opened.launch, draft, digest),
  };
}
