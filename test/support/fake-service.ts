import type {
  BenefitVerification,
  CreateBenefitVerificationRequest,
} from '../../src/core/contract/benefit-verification.ts';
import type { CreateEnrollmentRequest } from '../../src/core/contract/enrollment.ts';
import type { PriorAuthorization } from '../../src/core/contract/prior-authorization.ts';
import type { PriorAuthRequest } from '../../src/core/contract/profiles.ts';
import type { Amendment } from '../../src/core/contract/reply.ts';
import { BridgeError } from '../../src/core/errors.ts';
import type { ServiceClient } from '../../src/service/client.ts';

/** The prior-authorization service in memory, seen through its client. */
export interface FakeService extends ServiceClient {
  readonly records: Map<string, PriorAuthorization>;
  readonly creates: PriorAuthRequest[];
  readonly enrollments: CreateEnrollmentRequest[];
  readonly verifications: CreateBenefitVerificationRequest[];
  readonly benefits: Map<string, BenefitVerification>;
  readonly reads: string[];
  readonly cancels: string[];
  /** Addresses of files, in the order in which they were fetched. */
  readonly downloads: string[];
  /** What was added to records, in order. */
  readonly amendments: { readonly id: string; readonly amendment: Amendment }[];
  /** What the next requests do instead. */
  readonly next: {
    create: Create[];
    read: BridgeError[];
    cancel: BridgeError[];
    download: BridgeError[];
    amend: ('lost-before' | 'lost-after' | BridgeError)[];
  };
  /** Id of the nth record; no two services share one. */
  id(n: number): string;
  /** Moves a record on. */
  move(id: string, changes: Partial<PriorAuthorization>): void;
  moveBenefits(id: string, changes: Partial<BenefitVerification>): void;
  file?: Uint8Array;
}

/**
 * `lost-after` stores and loses the answer; what is late stores at once and answers when `until` resolves, which may be
 * long after everybody has given up.
 */
export type Create = 'lost-before' | 'lost-after' | BridgeError | { readonly until: Promise<unknown> };

let services = 0;

export function fakeService(): FakeService {
  services += 1;
  const prefix = `pa_${services}`;
  const records = new Map<string, PriorAuthorization>();
  const benefits = new Map<string, BenefitVerification>();
  const service: FakeService = {
    id: (n) => `${prefix}_${n}`,
    records,
    creates: [],
    enrollments: [],
    verifications: [],
    benefits,
    reads: [],
    cancels: [],
    downloads: [],
    amendments: [],
    next: { create: [], read: [], cancel: [], download: [], amend: [] },
    move(id, changes) {
      records.set(id, { ...records.get(id)!, ...changes });
    },
    moveBenefits(id, changes) {
      benefits.set(id, { ...benefits.get(id)!, ...changes });
    },
    async createPriorAuthorization(body) {
      const behaviour = service.next.create.shift();
      if (behaviour instanceof BridgeError) throw behaviour;
      service.creates.push(body);
      const id = service.id(records.size + 1);
      if (behaviour !== 'lost-before')
        records.set(id, {
          id,
          status: 'processing',
          patient: { internal_id: body.patient.internal_id },
          prescription: { extra: body.prescription.extra },
        } as PriorAuthorization);
      if (typeof behaviour === 'string') throw new BridgeError('service_unclear');
      await behaviour?.until;
      return { id };
    },
    async getPriorAuthorization(id) {
      service.reads.push(id);
      const found = records.get(id);
      // Cases of other tests are in the same store, and are no business of this service.
      if (found === undefined) throw new BridgeError('service_not_found');
      const behaviour = service.next.read.shift();
      if (behaviour !== undefined) throw behaviour;
      return structuredClone(found);
    },
    async cancelPriorAuthorization(id, reason) {
      const behaviour = service.next.cancel.shift();
      if (behaviour !== undefined) throw behaviour;
      service.cancels.push(reason);
      service.move(id, { status: 'cancelled' });
    },
    async amendPriorAuthorization(id, amendment) {
      const behaviour = service.next.amend.shift();
      if (behaviour instanceof BridgeError) throw behaviour;
      if (behaviour !== 'lost-before') {
        service.amendments.push({ id, amendment });
        service.move(id, { evidence: [...(records.get(id)?.evidence ?? []), ...amendment.evidence] });
      }
      if (behaviour !== undefined) throw new BridgeError('service_unclear');
    },
    async submitEnrollment(body) {
      const behaviour = service.next.create.shift();
      if (behaviour instanceof BridgeError) throw behaviour;
      service.enrollments.push(body);
      const id = `enr_${prefix}_${service.enrollments.length}`;
      if (typeof behaviour === 'string') throw new BridgeError('service_unclear');
      await behaviour?.until;
      return { id };
    },
    async createBenefitVerification(body) {
      const behaviour = service.next.create.shift();
      if (behaviour instanceof BridgeError) throw behaviour;
      service.verifications.push(body);
      const id = `bv_${prefix}_${benefits.size + 1}`;
      const { patient, provider, drugs } = body;
      if (behaviour !== 'lost-before') benefits.set(id, { id, status: 'pending', patient, provider, drugs });
      if (typeof behaviour === 'string') throw new BridgeError('service_unclear');
      await behaviour?.until;
      return { id };
    },
    async getBenefitVerification(id) {
      service.reads.push(id);
      const found = benefits.get(id);
      if (found === undefined) throw new BridgeError('service_not_found');
      const behaviour = service.next.read.shift();
      if (behaviour !== undefined) throw behaviour;
      return structuredClone(found);
    },
    async cancelBenefitVerification(id) {
      const behaviour = service.next.cancel.shift();
      if (behaviour !== undefined) throw behaviour;
      service.moveBenefits(id, { status: 'cancelled' });
    },
    async download(url) {
      service.downloads.push(url);
      const behaviour = service.next.download.shift();
      if (behaviour !== undefined) throw behaviour;
      if (service.file === undefined) throw new BridgeError('service_file_refused', { reason: 'status' });
      return { bytes: service.file, contentType: 'application/pdf' };
    },
  };
  return service;
}
