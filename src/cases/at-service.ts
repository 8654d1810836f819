import type { KindRecord, RecordKind, RecordOf } from '../core/contract/kinds.ts';
import type { ServiceClient } from '../service/client.ts';
import type { RequestBody } from './body.ts';

/** Sends a request once and returns the service's id if the answer has one. Throws the errors of the client. */
export async function createAt(client: ServiceClient, request: RequestBody): Promise<{ readonly serviceId?: string }> {
  switch (request.kind) {
    case 'prior-auth':
      return { serviceId: (await client.createPriorAuthorization(request.body)).id };
    case 'benefit-verification':
      return { serviceId: (await client.createBenefitVerification(request.body)).id };
    case 'enrollment': {
      const confirmation = await client.submitEnrollment(request.body);
      return confirmation?.id === undefined ? {} : { serviceId: confirmation.id };
    }
  }
}

interface RecordsAt<Of extends RecordKind> {
  readonly read: (client: ServiceClient, id: string) => Promise<RecordOf[Of]>;
  readonly cancel: (client: ServiceClient, id: string, reason: string) => Promise<void>;
}

const records: { readonly [Of in RecordKind]: RecordsAt<Of> } = {
  'prior-auth': {
    read: (client, id) => client.getPriorAuthorization(id),
    cancel: (client, id, reason) => client.cancelPriorAuthorization(id, reason),
  },
  'benefit-verification': {
    read: (client, id) => client.getBenefitVerification(id),
    // The service accepts no reason for a cancellation, so the reason is stored here and written to the Task.
    cancel: (client, id) => client.cancelBenefitVerification(id),
  },
};

export async function readAt(client: ServiceClient, kind: RecordKind, id: string): Promise<KindRecord> {
  return { kind, record: await records[kind].read(client, id) } as KindRecord; // the client read a record of `kind`
}

export async function cancelAt(client: ServiceClient, kind: RecordKind, id: string, reason: string): Promise<void> {
  await records[kind].cancel(client, id, reason);
}
