import { z } from 'zod';
import { httpSwitches } from '../control/misbehave.ts';
import { row, type Switches } from '../control/switches.ts';
import { type BenefitStatus, benefitStatuses } from './benefits/benefit-record.ts';
import { oneQuestion } from './outreach.ts';
import { type Status, statuses } from './statuses.ts';

const seconds = z.number().min(0).max(86_400);
const milliseconds = z.int().min(1).max(3_600_000);
const text = z.string().min(1);
const ofRecords = { ...statuses, ...benefitStatuses };
type AnyStatus = Status | BenefitStatus;
const status = z.enum(Object.keys(ofRecords) as [AnyStatus, ...AnyStatus[]]);

/** All faults of the service sandbox. The documentation and `--help` are generated from this table. */
export const serviceSwitches = {
  ...httpSwitches,
  'error-code': row({
    meaning:
      'A create, an enrollment, a benefit verification or a cancel is refused by a rule of the service: nothing is ' +
      'done, and the error has this code.',
    value: z.strictObject({
      code: text,
      title: text.default('Refused'),
      status: z.int().min(400).max(499).default(400),
    }),
    values: '`code` (any text, an unknown one too), `title`, `status` (400 to 499)',
    off: 'only what its own rules refuse',
    example: { code: 'carrier_moon_phase', title: 'Refused', status: 400 },
    of: 'request',
  }),
  'unknown-status': row({
    meaning: 'When a record comes to the status `instead`, its answers and webhooks call it `as`, until it moves on.',
    value: z.strictObject({ instead: status, as: text }),
    values: '`instead` (a status), `as` (any text)',
    off: 'statuses as documented',
    example: { instead: 'awaiting_outcome' as const, as: 'escalated' },
    of: 'record',
  }),
  'unknown-outcome': row({
    meaning:
      'A record that is completed has this result, or this detail code, in place of its own; of a benefit ' +
      'verification they stand for coverage and coverage detail.',
    value: z
      .strictObject({ result: text.optional(), detail_code: text.optional() })
      .refine(
        ({ result, detail_code }) => result !== undefined || detail_code !== undefined,
        'expected one of the two',
      ),
    values: '`result`, `detail_code` (any text)',
    off: 'outcomes as documented',
    example: { result: 'Partly approved', detail_code: 'half_and_half' },
    of: 'record',
  }),
  'unknown-activity': row({
    meaning: 'When a record moves on, its activity log gets an entry of this type.',
    value: text,
    values: 'any text',
    off: 'activities as documented',
    example: 'sent_pigeon',
    of: 'record',
  }),
  'turn-back': row({
    meaning:
      'So long after a record was completed it is turned back, once: to the payer once more, from where it is ' +
      'decided again (`open`), or to another outcome. A webhook tells it.',
    value: z.strictObject({ to: z.enum(['open', 'Approved', 'Denied', 'Other']), afterSeconds: seconds }),
    values: '`to` (`open`, `Approved`, `Denied`, `Other`), `afterSeconds`',
    off: 'what is completed stays',
    example: { to: 'Denied' as const, afterSeconds: 60 },
    of: 'record',
  }),
  'payer-asks': row({
    meaning:
      'The payer asks back about a request, and waits for an answer: with `text`, and after it with `second`; on ' +
      'each of `channels` at once; `retried`: the last attempt expires and comes again under a new id; `event`: told ' +
      'before the answer to the create (`early`) or by the status of the record alone (`never`); with a `file`; ' +
      'closed by its deadline after `closesAfter` seconds.',
    value: z.strictObject({
      text: text.default(oneQuestion.text),
      second: text.optional(),
      channels: z.array(text).min(1).max(5).default(['fax']),
      retried: z.boolean().default(false),
      event: z.enum(['usual', 'early', 'never']).default('usual'),
      file: z.boolean().default(false),
      closesAfter: seconds.optional(),
    }),
    values:
      '`text`, `second` (any text), `channels` (any texts), `retried` (`true`), `event` (`usual`, `early`, `never`), ' +
      '`file` (`true`), `closesAfter` (seconds)',
    off: 'as its rules say',
    example: {
      ...oneQuestion,
      channels: ['fax', 'direct_message'],
      retried: true,
      closesAfter: 600,
    },
    of: 'record',
  }),
  'late-letter': row({
    meaning: 'The payer’s letter comes into the activity log only so long after its outcome; no webhook tells it.',
    value: seconds,
    values: 'seconds',
    off: 'with the outcome',
    example: 120,
    of: 'record',
  }),
  letter: row({
    meaning:
      'A file behind a link of a record (a fax, the payer’s letter) cannot be downloaded: 503, 404, 410, the 403 ' +
      'of a link that has expired, a connection cut in the middle, no bytes, or an HTML page.',
    value: z.enum(['unavailable', 'missing', 'gone', 'expired', 'cut', 'empty', 'html']),
    values: '`unavailable`, `missing`, `gone`, `expired`, `cut`, `empty`, `html`',
    off: 'files are given',
    example: 'cut' as const,
    of: 'request',
  }),
  'webhook-missing': row({
    meaning: 'A webhook is not sent.',
    value: z.literal(true),
    values: '`true`',
    off: 'every change is told',
    example: true as const,
    of: 'record',
  }),
  'webhook-late': row({
    meaning: 'A webhook is sent so much later, with the record as it was.',
    value: milliseconds,
    values: 'milliseconds',
    off: 'at once',
    example: 30_000,
    of: 'record',
  }),
  'webhook-doubled': row({
    meaning: 'A webhook is sent several times, with one id or with an id each.',
    value: z.strictObject({ copies: z.int().min(2).max(50), ids: z.enum(['same', 'new']).default('same') }),
    values: '`copies` (2 to 50), `ids` (`same`, `new`)',
    off: 'once, and again only while the answer is not 2xx',
    example: { copies: 2, ids: 'same' as const },
    of: 'record',
  }),
  'webhook-reordered': row({
    meaning: 'A webhook waits until the next one of its record has been sent, at most so long.',
    value: milliseconds,
    values: 'milliseconds',
    off: 'in the order of the changes',
    example: 10_000,
    of: 'record',
  }),
  'webhook-forged': row({
    meaning:
      'Beside the webhook comes one from somebody else, which says that the record is completed and approved: ' +
      'signed with another `secret`, `unsigned`, the genuine one `changed` after signing, or signed rightly ' +
      'an hour ago (`old`).',
    value: z.enum(['secret', 'unsigned', 'changed', 'old']),
    values: '`secret`, `unsigned`, `changed`, `old`',
    off: 'only genuine ones',
    example: 'secret' as const,
    of: 'record',
  }),
} as const;

export type ServiceSwitches = Switches<typeof serviceSwitches>;
