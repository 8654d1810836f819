import { type Attributes, SpanStatusCode, trace } from '@opentelemetry/api';

const tracer = trace.getTracer('prior-auth-bridge');

/**
 * Runs `work` in an OpenTelemetry span. Without an SDK in the process, it only runs `work`. Attributes are ids of
 * sites, names of queues and operations: never an address, a patient or a value.
 */
export async function traced<T>(name: string, attributes: Attributes, work: () => Promise<T>): Promise<T> {
  return await tracer.startActiveSpan(name, { attributes }, async (span) => {
    try {
      return await work();
    } catch (thrown) {
      // Messages of foreign errors may quote a chart.
      const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : 'internal';
      span.setStatus({ code: SpanStatusCode.ERROR, message: code });
      throw thrown;
    } finally {
      span.end();
    }
  });
}
