import type { FastifyRequest } from 'fastify';

/** Method and path (`/fhir/Task/7`) of a request, for the limits of a switch. */
export function fhirPath(request: FastifyRequest): { readonly method: string; readonly path: string } {
  return { method: request.method, path: new URL(request.originalUrl, 'http://sandbox').pathname };
}
