import { createHash, randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Site } from '../../config/config.ts';
import { BridgeError } from '../../core/errors.ts';
import { type Case, roundsOf, type User } from '../case.ts';
import type { CaseContext } from '../context.ts';
import { maySign, requiresSignature } from '../signature.ts';
import { type QuestionFile, questionFileName, type Reply, type Round, replyFileName } from './round.ts';

/** A document sent with a reply: a text or a file in base64. The file is a PDF or, in a printed packet, a JPEG. */
export interface ReplyDocument {
  readonly title: string;
  /** In the format that requests use, with or without a time zone. */
  readonly date_created: string;
  readonly content?: Readonly<Record<string, unknown>>;
  readonly asset?: { readonly file_content: string };
}

export interface ReplyRequest {
  readonly round: number;
  /** `roundSeen` of the round as the person saw it. */
  readonly seen: string;
  readonly text: string;
  readonly documents: readonly ReplyDocument[];
  /** The person declares the reply complete, which ends the round. */
  readonly completes: boolean;
  readonly by: User;
  /** The person signs by sending the reply; throws sign_refused if they may not sign. */
  readonly signs?: boolean;
}

/** The state of a reply that is complete and, where required, signed: the app sends it, or a person prints it. */
export function readyState({ service }: Pick<Site, 'service'>): 'queued' | 'printed' {
  return service.profile === 'current' ? 'queued' : 'printed';
}

/** The `content.kind` of a reply in the record's evidence. */
export const replyKind = 'Reply of the practice to the payer';

/**
 * Implements `Cases.reply`. Stores the whole reply, sealed with the case, before anything is sent. The key of a reply
 * is derived from its content, so repeating a reply changes nothing.
 */
export async function replyTo(context: CaseContext, id: string, request: ReplyRequest): Promise<Case> {
  const one = await context.get(id);
  const text = request.text.trim();
  if (text === '' && request.documents.length === 0)
    throw new BridgeError(
      'bad_request',
      { case: id, reason: 'an empty reply' },
      { next: 'Write a reply, or choose a document.' },
    );
  const round = roundsOf(one).find(({ number }) => number === request.round);
  if (round === undefined) throw new BridgeError('bad_request', { case: id });
  const site = context.siteOf(one.site);
  const ready = readyState(site);
  const { signs = false, by } = request;
  if (signs && !maySign(site, one, by)) throw new BridgeError('sign_refused', { case: id });
  const isToBeSigned = !signs && requiresSignature(site, one.kind);
  const reply = replyOf(context, one, round, { ...request, text });
  await context.store.cases.putFile(id, replyFileName(reply.key), contentOf(reply, request.documents));
  return await context.change(id, 'reply', {
    round: round.number,
    seen: request.seen,
    reply: {
      ...reply,
      ...(signs ? { signedBy: by } : {}),
      state: isToBeSigned ? 'unsigned' : ready,
      completes: ready === 'queued' && site.service.outreachEndField !== undefined && request.completes,
    },
  });
}

type Made = Omit<Reply, 'at' | 'state'>;

function replyOf(
  context: CaseContext,
  one: Case,
  round: Round,
  { text, documents, completes, by }: ReplyRequest,
): Made {
  const key = context.store
    .mark(`reply|${one.id}|${round.number}|${hashOf({ text, documents, completes })}`)
    .slice(0, 24);
  // The service returns the reply under this title, so the title has a part that no other reply has.
  const title = `Reply to the payer’s question ${round.number} (${key.slice(0, 8)})`;
  const date = `${context.now().slice(0, 19)}.000000`;
  return { key, by, text, documents: documents.map((each) => each.title), title, date, completes };
}

function hashOf(content: unknown): string {
  return createHash('sha256').update(JSON.stringify(content)).digest('base64url');
}

function contentOf({ title, date, text, documents: titles }: Made, documents: readonly ReplyDocument[]): Uint8Array {
  const content = {
    kind: replyKind,
    ...(text === '' ? {} : { text }),
    ...(titles.length === 0 ? {} : { enclosed: titles }),
  };
  const evidence = [{ title, date_created: date, content }, ...documents];
  return Buffer.from(JSON.stringify({ evidence }), 'utf8');
}

const Kept = z.object({
  evidence: z.array(
    z.object({
      title: z.string(),
      date_created: z.string(),
      content: z.record(z.string(), z.unknown()).optional(),
      asset: z.object({ file_content: z.string() }).optional(),
    }),
  ),
});

/** The stored documents of a reply: its own text first, then the enclosures. Undefined if no reply has this key. */
export async function replyContent(
  { store }: Pick<CaseContext, 'store'>,
  id: string,
  key: string,
): Promise<readonly ReplyDocument[] | undefined> {
  const bytes = await store.cases.file(id, replyFileName(key));
  if (bytes === undefined) return undefined;
  return Kept.parse(JSON.parse(Buffer.from(bytes).toString('utf8'))).evidence.map(({ content, asset, ...rest }) => ({
    ...rest,
    ...(asset === undefined ? {} : { asset }),
    ...(content === undefined ? {} : { content }),
  }));
}

export interface RoundRequest {
  readonly by: User;
  readonly text: string;
  readonly until?: string;
  readonly channel?: string;
  readonly file?: { readonly name: string; readonly type: string; readonly bytes: Uint8Array };
  /** The id of a fax in the service's activity log. */
  readonly fax?: string;
}

/** Implements `Cases.openRound`. */
export async function openRound(
  context: CaseContext,
  id: string,
  { file: scan, fax, ...request }: RoundRequest,
): Promise<Case> {
  const file = fax === undefined ? await keptScan(context, id, scan) : faxFile(fax);
  return await context.change(id, 'open-round', { ...request, ...(file === undefined ? {} : { file }) });
}

async function keptScan(
  context: CaseContext,
  id: string,
  scan: RoundRequest['file'],
): Promise<QuestionFile | undefined> {
  if (scan === undefined) return undefined;
  const file: QuestionFile = { id: randomUUID(), name: scan.name, state: 'kept', type: scan.type };
  await context.store.cases.putFile(id, questionFileName(file.id), scan.bytes);
  return file;
}

function faxFile(activity: string): QuestionFile {
  return { id: `fax-${activity.replaceAll(/[^\w-]/g, '_').slice(0, 80)}`, name: 'Fax', state: 'due', activity };
}

/** The bytes of a question's file, with their type; undefined if they are not stored. */
export async function questionFile(
  { store }: Pick<CaseContext, 'store'>,
  one: Case,
  file: string,
): Promise<{ readonly bytes: Uint8Array; readonly type: string } | undefined> {
  const known = roundsOf(one)
    .flatMap(({ asked }) => asked.flatMap(({ files }) => files))
    .find(({ id, state }) => id === file && state === 'kept');
  const bytes = known === undefined ? undefined : await store.cases.file(one.id, questionFileName(known.id));
  return bytes === undefined || known?.type === undefined ? undefined : { bytes, type: known.type };
}

/** Implements `Cases.settleReply`. */
export function settleReply(
  { change }: Pick<CaseContext, 'change'>,
  id: string,
  { key, arrived, by }: { readonly key: string; readonly arrived: boolean; readonly by: User },
): Promise<Case> {
  return change(id, 'settle-reply', { key, state: arrived ? 'accepted' : 'not_arrived', by });
}
