/**
 * What an EHR says in its own words of an answer that it did not give. It is the cause of a BridgeError and not among
 * its facts: the words may quote a chart, so that they are shown to who reads the chart and never logged.
 */
export class EhrSays extends Error {
  override readonly name = 'EhrSays';

  constructor(readonly texts: readonly string[]) {
    super('the EHR said why');
  }
}

/** The words of the EHR behind a failure; empty where it gave none. */
export function saidBy(error: Error): string {
  return error.cause instanceof EhrSays ? error.cause.texts.join(' ') : '';
}
