import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isSent } from '../../../cases/case.ts';
import { BridgeError } from '../../../core/errors.ts';
import { sendCaseFile, sendPatientFile } from '../../http/send-file.ts';
import { visit } from '../launch/route.ts';
import { type CaseFileName, caseFile, caseFileNames, fileId } from './case-files.ts';
import { type CaseDeps, type CaseParams, type CaseRequest, caseOf, casePath } from './open-case.ts';
import { sentCopyOf } from './sent-copy.ts';

interface ScanParams extends CaseParams {
  readonly file: string;
}

/** The files of a case: letters, prints, the scan of a consent, and the sent request. */
export function registerCaseFiles(app: FastifyInstance, page: CaseDeps): void {
  for (const name of caseFileNames)
    app.get<{ Params: CaseParams }>(`${casePath}/${name}`, (request, reply) => sendFile(page, name, request, reply));
  app.get<{ Params: ScanParams }>(`${casePath}/consent/:file`, (request, reply) => sendScan(page, request, reply));
  app.get<{ Params: CaseParams }>(`${casePath}/sent.json`, (request, reply) => sendSentCopy(page, request, reply));
}

async function sendFile(
  page: CaseDeps,
  name: CaseFileName,
  request: CaseRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const opened = await visit(page.deps, request);
  const one = await caseOf(page, opened, request);
  return sendCaseFile(reply, await caseFile(page.deps, one, opened.launch.site, name));
}

async function sendScan(
  page: CaseDeps,
  request: FastifyRequest<{ Params: ScanParams }>,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { deps } = page;
  const opened = await visit(deps, request);
  const one = await caseOf(page, opened, request);
  const attached = isSent(one) ? one.entries.attached : undefined;
  const scan = attached?.find(({ id, kind }) => id === request.params.file && kind === 'consent');
  const bytes = scan === undefined ? undefined : await deps.cases.attached(one.id, scan.id);
  if (scan === undefined || bytes === undefined) throw new BridgeError('not_found', { what: 'the file' });
  return sendPatientFile(request, reply, scan.pdf === true ? 'application/pdf' : 'image/jpeg', bytes);
}

async function sendSentCopy(page: CaseDeps, request: CaseRequest, reply: FastifyReply): Promise<FastifyReply> {
  const opened = await visit(page.deps, request);
  const one = await caseOf(page, opened, request);
  const copy = sentCopyOf(one);
  if (copy === undefined) throw new BridgeError('not_found', { what: 'a request that was sent', case: one.id });
  reply.header('digest', `sha-256=${Buffer.from(copy.hash, 'hex').toString('base64')}`);
  const name = `request-${fileId(one)}.json`;
  return sendCaseFile(reply, { name, bytes: Buffer.from(copy.text), contentType: 'application/json' });
}
