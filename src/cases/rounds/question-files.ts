import { asBridgeError, BridgeError } from '../../core/errors.ts';
import { type Case, roundsOf } from '../case.ts';
import type { CaseContext } from '../context.ts';
import { type QuestionFile, questionFileName } from './round.ts';

/** Seconds until a file is retried. The pauses are short because the link expires soon. */
const pauses = [5, 15, 60, 300];

export async function fetchQuestionFiles(context: CaseContext, id: string): Promise<number | undefined> {
  const one = await context.get(id);
  const due = roundsOf(one).flatMap(({ number, asked }) =>
    asked.flatMap(({ files }) => files.filter(({ state }) => state === 'due').map((file) => ({ number, file }))),
  );
  const waits = [];
  for (const { number, file } of due) {
    const left = secondsUntil(file.after, context);
    waits.push(left > 0 ? left : await fetchOne(context, one, number, file));
  }
  const next = waits.filter((wait) => wait !== undefined);
  return next.length === 0 ? undefined : Math.min(...next);
}

async function fetchOne(
  context: CaseContext,
  one: Case,
  round: number,
  file: QuestionFile,
): Promise<number | undefined> {
  const keep = (got: Parameters<typeof context.change<'keep-question'>>[2]['got']) =>
    context.change(one.id, 'keep-question', { round, file: file.id, got });
  try {
    const { bytes, contentType } = await download(context, one, file);
    await context.store.cases.putFile(one.id, questionFileName(file.id), bytes);
    await keep({ state: 'kept', type: contentType });
    return undefined;
  } catch (thrown) {
    const { code, facts } = asBridgeError(thrown);
    context.log.warn({ case: one.id, code }, 'a file of a question was not fetched');
    const { tries = 0 } = file;
    const wait = isOver(facts.http) ? undefined : pauses[tries];
    await keep(
      wait === undefined
        ? { state: 'gone', code }
        : { state: 'due', tries: tries + 1, code, after: inSeconds(wait, context) },
    );
    return wait;
  }
}

function secondsUntil(moment: string | undefined, { clock }: CaseContext): number {
  return moment === undefined ? 0 : Math.ceil((Date.parse(moment) - clock().getTime()) / 1000);
}

function inSeconds(seconds: number, { clock }: CaseContext): string {
  return new Date(clock().getTime() + seconds * 1000).toISOString();
}

// 403, 404, 410: an expired signed link.
function isOver(http: unknown): boolean {
  return http === 403 || http === 404 || http === 410;
}

async function download(context: CaseContext, one: Case, { url, activity }: QuestionFile) {
  const client = context.services(context.siteOf(one.site));
  const address = activity === undefined ? url : await linkOf(context, one, activity);
  if (address === undefined) throw new BridgeError('service_file_refused', { reason: 'no link', http: 404 });
  return await client.download(address);
}

// The record is read again because the link of a fax is signed and expires soon.
async function linkOf(context: CaseContext, one: Case, activity: string): Promise<string | undefined> {
  const serviceId = 'serviceId' in one ? one.serviceId : undefined;
  if (serviceId === undefined) return undefined;
  const record = await context.services(context.siteOf(one.site)).getPriorAuthorization(serviceId);
  return record.activity_log?.find(({ id }) => id === activity)?.details?.url;
}
