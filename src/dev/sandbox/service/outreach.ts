import type { Asks, RecordLinks, StoredOutreach, StoredPriorAuthorization } from './stored-record.ts';

/**
 * The questions of the sandbox's payer. The service's documents leave some of this open. In this sandbox, one event is
 * one attempt on one channel, and a retry is another attempt of the same sequence.
 */

export const outreachType = 'prior_authorization.provider_outreach_change';

/** The text has a credential in it, as payers' messages do. */
export const oneQuestion: Asks = {
  text:
    'Please send the date of the last visit and the dose of the antihistamine that was tried before. Or answer at ' +
    'https://payer.example/reply?case=4711 with the access code SB-4711.',
  channels: ['fax'],
  retried: false,
  event: 'usual',
  file: true,
};

export const twoQuestions: Asks = {
  text: 'Which preventive drugs were tried before, from when to when, and why were they stopped?',
  second: 'Please also send the number of headache days a month before treatment.',
  channels: ['fax', 'direct_message'],
  retried: true,
  event: 'usual',
  file: false,
};

/** Returns an attempt of the question on each of its channels. */
export function outreachAttempts(
  { id, outreach = [] }: Pick<StoredPriorAuthorization, 'id' | 'outreach'>,
  asks: Asks,
  text: string,
  now: Date,
): readonly StoredOutreach[] {
  const number = new Set(outreach.map(({ sequence }) => sequence)).size + 1;
  const at = now.toISOString();
  return asks.channels.map((channel, index) => ({
    id: `prov_outreach_${id}_${number}_${index + 1}`,
    sequence: `prov_outreach_seq_${id}_${number}`,
    state: 'sent',
    channel,
    text,
    file: asks.file,
    at,
    over: false,
    ...(asks.closesAfter === undefined
      ? {}
      : { respondBy: new Date(now.getTime() + asks.closesAfter * 1000).toISOString() }),
  }));
}

/** Returns the last attempt, expired, and its retry with a new id. */
export function retriedOf(attempts: readonly StoredOutreach[], now: Date): readonly StoredOutreach[] {
  const last = attempts.at(-1);
  const at = new Date(now.getTime() + 1000).toISOString();
  return last === undefined
    ? []
    : [
        { ...last, state: 'expired', at },
        { ...last, id: `${last.id}_retry`, at },
      ];
}

/** Returns the open attempts, marked as ended. */
export function overOf(outreach: readonly StoredOutreach[], now: Date): readonly StoredOutreach[] {
  const open = outreach.filter(({ over }) => !over);
  const last = open.at(-1);
  return last === undefined ? [] : open.map((one) => ({ ...one, over: true, at: now.toISOString() }));
}

/** Returns all attempts, with the changed ones replaced. */
export function withAttempts(
  outreach: readonly StoredOutreach[],
  changed: readonly StoredOutreach[],
): readonly StoredOutreach[] {
  const ids = new Set(changed.map(({ id }) => id));
  return [...outreach.filter(({ id }) => !ids.has(id)), ...changed];
}

/** Returns `data` of the event about an attempt. Its file has a link that expires. */
export function outreachData(
  record: { readonly id: string },
  one: StoredOutreach,
  links: RecordLinks,
): Record<string, unknown> {
  const { id, sequence, state, channel, text, file, respondBy, over } = one;
  const attachment = { file_name: 'Question.pdf', file_type: 'application/pdf', url: links.file(record.id, id) };
  return {
    id,
    object: 'provider_outreach',
    outreach_sequence_id: sequence,
    prior_authorization_id: record.id,
    state,
    channel,
    purpose: 'request_information',
    ...(respondBy === undefined ? {} : { respond_by: respondBy }),
    outreach_sequence_state: over ? 'ended' : 'open',
    transmission: {
      subject: 'Information needed for a prior authorization',
      message: text,
      attachments: file ? [attachment] : [],
    },
  };
}
