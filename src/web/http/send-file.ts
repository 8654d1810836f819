import type { FastifyReply, FastifyRequest } from 'fastify';

/** A picture or PDF of a patient, to be looked at: nothing in it may run, and its name says nothing of the chart. */
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
