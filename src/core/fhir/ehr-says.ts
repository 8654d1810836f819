/**
 * The EHR's own words about why it did not answer a request. They are the cause of a BridgeError and not among its
 * facts, because they may quote a chart: they are shown to people who may read the chart and never logged.
 */
export class EhrSays extends Error {
  override readonly name = 'EhrSays';

  constructor(readonly texts: readonly string[]) {
    super('the EHR said why');
  }
}

/** The EHR's words behind a failure; empty if it gave none. */
export function saidBy(error: Error): string {
  return error.cause instanceof EhrSays ? error.cause.texts.join(' ') : '';
}
