/** Whether a body was larger than its route accepts: Fastify stops reading it there. */
export function isTooLarge(thrown: unknown): boolean {
  return typeof thrown === 'object' && thrown !== null && 'statusCode' in thrown && thrown.statusCode === 413;
}
