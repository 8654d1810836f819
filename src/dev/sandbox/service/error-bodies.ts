/** `{ status: "error", error: { code, title, description } }`: the service's body for what its own rules refuse. */
export function businessError(code: string, title: string): Record<string, unknown> {
  return { status: 'error', data: null, error: { code, title, description: `${title}.` } };
}

/** The body that goes with a status that a switch orders. */
export function errorBody(status: number): Record<string, unknown> {
  if (status === 429) return businessError('rate_limit_exceeded', 'Too many requests');
  if (status === 503) return businessError('service_unavailable', 'Service unavailable');
  return businessError('internal', 'Internal error');
}
