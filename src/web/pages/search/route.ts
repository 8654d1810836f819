import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { pharmacyTargets } from '../../../core/contract/groups.ts';
import { BridgeError } from '../../../core/errors.ts';
import { normaliseIcd10 } from '../../../core/fhir/codes/icd10.ts';
import type { Pulls } from '../../http/chart-reading.ts';
import type { Deps } from '../../http/deps.ts';
import { userOf } from '../../http/user.ts';
import { type Draft, openDraft } from '../../request/draft.ts';
import { type Form, textOf } from '../../request/form.ts';
import { fieldId } from '../../request/labels.ts';
import { enteredByOf } from '../../request/typed/entered-by.ts';
import { html } from '../../ui/page.tsx';
import { postedTo, sendPage, type Visit, visit } from '../launch/route.ts';
import { type OrderParams, orderOf } from '../review/route.ts';
import { FindCodePage, FindPharmacyPage } from './page.tsx';
import { diagnosesIn, searchCodes } from './search-codes.ts';
import { searchPharmacies } from './search-pharmacies.ts';

type Request = FastifyRequest<{ Params: OrderParams }>;

/**
 * The search of diagnosis codes and of pharmacies for one order: as pages of their own, which need no script, and as
 * JSON for the fields of the review page. What is typed is posted: it may say something about the patient, and
 * addresses stand in the logs of proxies.
 */
export function registerSearch(app: FastifyInstance, deps: Deps, pulls: Pulls): void {
  const at = (what: string) => `/app/:launch/orders/:order/find/${what}`;
  const open = async (opened: Visit, request: Request): Promise<Draft> => {
    const draft = await openDraft(deps, pulls, { launch: opened.launch, order: orderOf(request), kind: 'prior-auth' });
    if ('sent' in draft) throw new BridgeError('case_already_sent', { case: draft.sent.id });
    request.caseId = draft.case.id;
    return draft;
  };
  const viewOf = (opened: Visit, draft: Draft, text: string) => {
    const review = `${opened.home}/orders/${draft.order}`;
    return { ...opened, draft, text, review, patientMark: markOf(deps, draft) };
  };
  const posted = async (request: Request) => {
    const opened = await postedTo(deps, request);
    const draft = await open(opened, request);
    checkPatient(deps, opened.form, draft);
    return { opened, draft, text: textOf(opened.form, 'q').slice(0, 200), use: textOf(opened.form, 'use') };
  };

  app.get<{ Params: OrderParams }>(at('diagnosis'), async (request, reply) => {
    const opened = await visit(deps, request);
    const draft = await open(opened, request);
    const found = await searchCodes(deps, draft, '');
    return sendPage(reply, html(FindCodePage({ view: { ...viewOf(opened, draft, ''), found } })));
  });

  app.post<{ Params: OrderParams }>(at('diagnosis'), async (request, reply) => {
    const { opened, draft, text, use } = await posted(request);
    if (use !== '') {
      await useCode(deps, draft, use);
      return reply.redirect(`${opened.home}/orders/${draft.order}#section-diagnoses`, 303);
    }
    const found = await searchCodes(deps, draft, text);
    if (wantsJson(request)) return sendFound(request, reply, found);
    return sendPage(reply, html(FindCodePage({ view: { ...viewOf(opened, draft, text), found } })));
  });

  app.get<{ Params: OrderParams }>(at('pharmacy'), async (request, reply) => {
    const opened = await visit(deps, request);
    const draft = await open(opened, request);
    const found = await searchPharmacies(deps, opened, draft, '');
    return sendPage(reply, html(FindPharmacyPage({ view: { ...viewOf(opened, draft, ''), found } })));
  });

  app.post<{ Params: OrderParams }>(at('pharmacy'), async (request, reply) => {
    const { opened, draft, text, use } = await posted(request);
    const found = await searchPharmacies(deps, opened, draft, use === '' ? text : '');
    const chosen = found.find(({ fields }) => JSON.stringify(fields) === use);
    if (use !== '') {
      if (chosen === undefined) throw new BridgeError('bad_request', { fields: ['use'] });
      await usePharmacy(deps, opened, draft, chosen.fields);
      return reply.redirect(`${opened.home}/orders/${draft.order}#${fieldId('pharmacy.name')}`, 303);
    }
    if (wantsJson(request)) return sendFound(request, reply, { pharmacies: found });
    return sendPage(reply, html(FindPharmacyPage({ view: { ...viewOf(opened, draft, text), found } })));
  });
}

function wantsJson(request: Request): boolean {
  return request.headers.accept === 'application/json';
}

// Not recorded once more for each key that is pressed: the page that asks shows the same of the chart and was recorded.
function sendFound(request: Request, reply: FastifyReply, found: object): FastifyReply {
  request.visitOf = undefined;
  return reply.send(found);
}

function markOf(deps: Deps, { case: { site, patient } }: Draft): string {
  return deps.cases.patientMark(site, patient);
}

function checkPatient(deps: Deps, form: Form, draft: Draft): void {
  if (textOf(form, 'patient') !== markOf(deps, draft)) throw new BridgeError('case_changed');
}

// The codes that the request has already stay; a proposal that nobody has confirmed is no answer.
async function useCode(deps: Deps, draft: Draft, use: string): Promise<void> {
  const code = normaliseIcd10(use);
  if (code === undefined) throw new BridgeError('bad_request', { fields: ['use'] });
  const standing = diagnosesIn(draft.values).flatMap(([target, one]) =>
    draft.provenance.get(target)?.kind === 'proposed' ? [] : [one],
  );
  await deps.cases.saveDraft(draft.case.id, ({ answers }) => ({
    answers: { ...answers, diagnoses: [...new Set([...(answers.diagnoses ?? standing), code])] },
  }));
}

// Every part of the address is replaced: of two pharmacies none may be mixed.
async function usePharmacy(
  deps: Deps,
  { launch }: Visit,
  draft: Draft,
  fields: Readonly<Record<string, string>>,
): Promise<void> {
  const by = { user: userOf(launch), at: deps.clock().toISOString() };
  await deps.cases.saveDraft(draft.case.id, (before) => {
    const edits: Record<string, unknown> = { ...before.edits };
    for (const target of pharmacyTargets) {
      if (fields[target] === draft.chartValues.get(target)) delete edits[target];
      else edits[target] = fields[target] ?? null;
    }
    return { edits, enteredBy: enteredByOf(before, { edits, answers: before.answers }, by) };
  });
}
