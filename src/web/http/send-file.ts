import type { FastifyReply, FastifyRequest } from 'fastify';

/** Sends a picture or PDF of a patient for viewing. Nothing in it may run, and its file name has no chart data. */
export function sendPatientFile(
  request: FastifyRequest,
  reply: FastifyReply,
  type: string,
  bytes: Uint8Array,
): FastifyReply {
  request.servesFile = type === 'application/pdf' ? 'pdf' : 'image';
  const name = type === 'application/pdf' ? 'document.pdf' : `document.${type.replace('image/', '')}`;
  return reply.type(type).header('content-disposition', `inline; filename="${name}"`).send(Buffer.from(bytes));
}

/** Sends a file as a download with this name. */
export function sendCaseFile(
  reply: FastifyReply,
  { name, bytes, contentType }: { readonly name: string; readonly bytes: Uint8Array; readonly contentType: string },
): FastifyReply {
  return reply
    .type(contentType)
    .header('content-disposition', `attachment; filename="${name}"`)
    .send(Buffer.from(bytes));
}
