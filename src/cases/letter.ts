import { asBridgeError, BridgeError } from '../core/errors.ts';
import { type Actor, type Case, recordOf } from './case.ts';
import type { CaseContext } from './context.ts';
import { type JobData, job } from './jobs.ts';
import { letterIsDue } from './letter-state.ts';
import { letterEntry } from './service-record.ts';

/** The only type of file that is kept as the payer's letter. */
export const letterType = 'application/pdf';

const firstSeconds = 30;
const longestSeconds = 4 * 3600;

/** The payer's stored letter, a PDF; undefined if it was not fetched, or the case has not finished. */
export async function keptLetter({ store }: Pick<CaseContext, 'store'>, one: Case): Promise<Uint8Array | undefined> {
  const entry = letterEntry(recordOf(one));
  return entry === undefined ? undefined : await store.cases.file(one.id, fileName(entry.id));
}

/** All stored letters of the payer, oldest first. */
export async function keptLetters({ store }: Pick<CaseContext, 'store'>, one: Case): Promise<readonly Uint8Array[]> {
  const record = recordOf(one);
  if (letterEntry(record) === undefined) return [];
  const entries = (record?.activity_log ?? []).filter(({ type }) => type === 'received_fax');
  const files = await Promise.all(entries.map(({ id }) => store.cases.file(one.id, fileName(id))));
  return files.filter((bytes) => bytes !== undefined);
}

/**
 * Fetches the payer's letter and retries for a limited time. Its link is signed and short-lived, so each attempt reads
 * the record again. The bytes are stored, and the letter is then written to the chart like every other document.
 */
export async function fetchLetter(context: CaseContext, { case: id, tries = 0 }: JobData['letter']): Promise<void> {
  await context.store.exclusively(`letter|${id}`, async () => {
    const current = await context.get(id);
    const entry = letterEntry(recordOf(current));
    if (entry === undefined || !letterIsDue(recordOf(current), current.events)) return;
    try {
      if ((await keptLetter(context, current)) === undefined)
        await context.store.cases.putFile(id, fileName(entry.id), await download(context, current, entry.id));
      await context.change(id, 'keep-letter', { letter: entry.id });
    } catch (thrown) {
      const { code } = asBridgeError(thrown);
      context.log.warn({ case: id, code }, 'the payer’s letter was not fetched');
      const days = context.config.letterDays;
      const next = await context.change(id, 'miss-letter', { letter: entry.id, code, days });
      if (!letterIsDue(recordOf(next), next.events)) return;
      const wait = Math.min(longestSeconds, pauseOf(context) * 2 ** Math.min(tries, 16));
      await context.store.enqueue([job('letter', current.site, { case: id, tries: tries + 1 }, wait)]);
    }
  });
}

/** Implements `Cases.fetchLetter`. */
export async function fetchLetterAgain(context: CaseContext, id: string, by: Actor): Promise<Case> {
  await context.change(id, 'ask-letter', { by });
  await fetchLetter(context, { case: id });
  return await context.get(id);
}

// A polling interval shorter than `firstSeconds` also applies to letters.
function pauseOf({ config }: CaseContext): number {
  return Math.min(firstSeconds, config.pollSeconds);
}

async function download(context: CaseContext, current: Case, letter: string): Promise<Uint8Array> {
  const serviceId = 'serviceId' in current ? current.serviceId : undefined;
  if (serviceId === undefined) throw new BridgeError('service_not_found', { case: current.id });
  const client = context.services(context.siteOf(current.site));
  const record = await client.getPriorAuthorization(serviceId);
  const url = record.activity_log?.find((entry) => entry.id === letter)?.details?.url;
  if (url === undefined) throw new BridgeError('service_file_refused', { reason: 'no link' });
  const { bytes, contentType } = await client.download(url);
  if (contentType !== letterType) throw new BridgeError('service_file_refused', { reason: 'not a PDF' });
  return bytes;
}

function fileName(letter: string): string {
  return `determination-${letter}`;
}
