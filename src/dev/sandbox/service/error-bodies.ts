/** The service's body for violations of its own rules: `{ status: "error", error: { code, title, description } }`. */
export function businessError(code: string, title: string): Record<string, unknown> {
  return { status: 'error', data: null, error: { code, title, description: `${title}.` } };
}

/** Returns the body for a status that a switch sets. */
export function errorBody(status: number): Record<string, unknown> {
  if (status === 429) return businessError('rate_limit_exceeded', 'Too many requests');
  if (status === 503) return businessError('service_unavailable', 'Service unavailable');
  return businessError('internal', 'Internal error');
}
