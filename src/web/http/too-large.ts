/** true if a body was larger than its route accepts, so that Fastify stopped reading it. */
export function isTooLarge(thrown: unknown): boolean {
  return typeof thrown === 'object' && thrown !== null && 'statusCode' in thrown && thrown.statusCode === 413;
}
