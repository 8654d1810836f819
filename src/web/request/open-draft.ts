import type { FhirResource } from 'fhir/r4.js';
import { type Carried, type CaseKind, type Editable, isEditable, lacksOrder, type Sent } from '../../cases/case.ts';
import { isOffered } from '../../cases/offered.ts';
import { titleAmong } from '../../core/drug/display-name.ts';
import { BridgeError, errors } from '../../core/errors.ts';
import { indexChart } from '../../core/fhir/references/graph.ts';
import type { Candidate } from '../../core/roles/chart.ts';
import type { RoleTable } from '../../core/roles/define.ts';
import { type CandidateOrder, type JudgedOrder, ordersIn } from '../../core/roles/select.ts';
import type { Launch } from '../../ehr/smart/types.ts';
import type { Pull, Pulls } from '../http/chart-reading.ts';
import { type Deps, rolesOfSite } from '../http/deps.ts';
import { userOf } from '../http/user.ts';
import { closeDraft, unusable } from '../pages/case/words.ts';
import { diagnosesIn, knownCodes } from '../pages/search/search-codes.ts';
import { attachedContent } from './attached.ts';
import { bannerOf } from './banner.ts';
import { cached } from './cached.ts';
import { rulesOf } from './chart-mapping.ts';
import { type Draft, type DraftOpening, makeDraft } from './draft.ts';
import { drugNamesIn } from './drug-names.ts';
import { npiSentFor } from './npi-sent.ts';
import { withOrderNoted } from './order-noted.ts';
import { carriedOf, earlierRequest } from './typed/carry.ts';

/**
 * Opens the draft of an order in the same steps as batch and fixtures: read, select, map. Edits and answers of the case
 * stay, even if the rules have changed. A request that was sent, or has ended, is returned unchanged; with `anew`, a
 * new one is opened after an ended request. Throws `not_found` for another patient's order, and `order_not_candidate`
 * for an order that cannot have a request.
 */
export async function openDraft(
  deps: Deps,
  pulls: Pulls,
  request: {
    readonly launch: Launch;
    readonly order: string;
    readonly kind: CaseKind;
    readonly again?: boolean;
    readonly anew?: boolean;
  },
): Promise<Draft | { readonly sent: Sent }> {
  const { launch, order, kind, anew = false } = request;
  if (!isOffered(kind, launch.site))
    throw new BridgeError(kind === 'benefit-verification' ? 'benefits_not_offered' : 'not_found');
  const pull = await pulls.of(launch, { order, again: request.again ?? false });
  const patient = `Patient/${launch.patient}`;
  const roles = rolesOfSite(deps, launch.site);
  const { candidate, chart } = judgedOrder(deps, pull, launch, order);
  if (!candidate.fits && !(await isKnown(deps, launch, kind, candidate))) throw notOffered(candidate.reason);
  const opened = await deps.cases.openDraft({
    site: launch.site.id,
    patient,
    order: candidate.order,
    kind,
    launch: launch.id,
    banner: bannerOf(roles, pull.entries, launch, deps.clock()),
    title: titleAmong(candidate.label, drugNamesIn(chart)),
    mappedBy: rulesOf(deps, launch, kind).mappedBy,
    by: userOf(launch),
    restricted: isRestricted(deps, pull, roles),
    anew: anew && candidate.fits,
    ...(launch.encounter === undefined ? {} : { encounter: `Encounter/${launch.encounter}` }),
  });
  const draft = await withOrderNoted(deps, pull, opened);
  if (!isEditable(draft)) return { sent: draft };
  if (!candidate.fits) throw notOffered(candidate.reason, lacksOrder(draft) ? closeDraft : undefined);
  const material = { launch, order, kind, label: candidate.label };
  const made = await readDraft(deps, pulls, material, draft, pull);
  return needsCarrying(made) ? await carryOver(deps, pulls, material, made) : made;
}

// An order that cannot have a request gets no new draft, but a known case of it can be opened.
async function isKnown({ cases }: Deps, launch: Launch, kind: CaseKind, { order }: CandidateOrder): Promise<boolean> {
  const known = await cases.forPatient(launch.site.id, `Patient/${launch.patient}`);
  return known.some((one) => one.kind === kind && one.order === order);
}

/** The draft with the notes, files and codes to which its entries refer. */
async function readDraft(deps: Deps, pulls: Pulls, opening: DraftOpening, draft: Editable, pull: Pull): Promise<Draft> {
  const { launch, order } = opening;
  const full = await pulls.withNotes(launch, pull, { order, ticked: draft.answers.evidence ?? [] });
  const content = await attachedContent(deps, draft);
  const made = makeDraft(deps, { ...opening, case: draft, pull: full, content });
  const codes = await knownCodes(deps, [...diagnosesIn(made.values).map(([, code]) => code), ...offeredCodes(made)]);
  return { ...made, codes, npiSentFor: await npiSentFor(deps, made) };
}

function offeredCodes({ result }: Pick<Draft, 'result'>): string[] {
  const asked = result.gaps.filter(({ target }) => target.startsWith('diagnoses'));
  return asked.flatMap(({ options = [] }) => options.map(({ value }) => value));
}

/**
 * The draft that these entries would give with the current chart. Nothing is stored. Throws `not_found` for another
 * patient's order, and `order_not_candidate` for an order that cannot have a request.
 */
export async function draftOf(
  deps: Deps,
  pulls: Pulls,
  { launch, case: one }: { readonly launch: Launch; readonly case: Editable },
): Promise<Draft> {
  const order = one.order.replace('MedicationRequest/', '');
  const pull = await pulls.of(launch, { order });
  const { candidate } = judgedOrder(deps, pull, launch, order);
  if (!candidate.fits) throw notOffered(candidate.reason);
  return readDraft(deps, pulls, { launch, order, kind: one.kind, label: candidate.label }, one, pull);
}

function judgedOrder(deps: Deps, pull: Pull, { site, patient }: Launch, order: string): JudgedOrder {
  const now = deps.clock();
  const choosing = { roles: rolesOfSite(deps, site), now, site, patient: `Patient/${patient}` };
  const judged = cached(pull, { name: 'orders', now }, () => ordersIn(indexChart(pull.entries), choosing));
  const one = judged.find(({ candidate }) => candidate.order === `MedicationRequest/${order}`);
  if (one === undefined) throw new BridgeError('not_found', { what: 'the order' });
  return one;
}

function isRestricted({ clock }: Deps, pull: Pull, { options: { isSensitive } }: RoleTable): boolean {
  return cached(pull, { name: 'restricted', now: clock() }, () =>
    pull.entries.some(({ resource }) => isSensitive(resource as FhirResource)),
  );
}

// Documents are carried over only once, before anybody has made a choice.
function needsCarrying({ kind, case: { state, attempt, answers, carried } }: Draft): boolean {
  const isUntouched = state === 'draft' && attempt === 0 && answers.evidence === undefined && carried === undefined;
  return kind === 'prior-auth' && isUntouched;
}

/** The draft with those documents of the patient's last request for the drug that the chart still has. */
async function carryOver(deps: Deps, pulls: Pulls, opening: DraftOpening, made: Draft): Promise<Draft> {
  const { case: one, pull } = made;
  const earlier = await earlierRequest(deps, opening.launch, made);
  const ticked = earlier?.items.flatMap(({ references }) => references) ?? [];
  // Resources that could not be read may still exist, so the next opening of the draft tries again.
  if (ticked.some((reference) => pull.unread.includes(reference.split('/')[0] ?? ''))) return made;
  const looked = { ...one, answers: { ...one.answers, evidence: ticked } };
  const candidates = ticked.length === 0 ? [] : candidatesOf(await readDraft(deps, pulls, opening, looked, pull));
  const carried: Carried = earlier === undefined ? { kept: [], dropped: [] } : carriedOf(earlier, candidates);
  // A stored selection replaces the site's policy, so documents that the policy attaches are included.
  const taken = candidatesOf(made).flatMap((candidate) => (candidate.taken === true ? [candidate.reference] : []));
  const evidence = [...new Set([...taken, ...carried.kept])];
  const saved = await deps.cases.saveDraft(one.id, ({ answers, carried: known, sheet }) => {
    // A colleague or another window has made the choice in the meantime.
    if (known !== undefined || answers.evidence !== undefined) return {};
    return {
      carried,
      ...(carried.kept.length === 0 ? {} : { answers: { ...answers, evidence } }),
      ...(carried.answers === true ? { sheet: { goes: true, ...sheet } } : {}),
    };
  });
  if (!isEditable(saved)) throw new BridgeError('case_already_sent', { case: one.id });
  return carried.kept.length === 0 ? { ...made, case: saved } : await readDraft(deps, pulls, opening, saved, pull);
}

function candidatesOf({ chart }: Draft): readonly Candidate[] {
  return chart.choice('evidence')?.candidates ?? [];
}

// The person who chose the order needs the reason, so it is part of the next step.
function notOffered(reason: string, next: string = errors.order_not_candidate.next): BridgeError {
  return new BridgeError('order_not_candidate', { reason }, { next: `${unusable(reason)} ${next}` });
}
