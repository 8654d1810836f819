import type { CapabilityStatement, Patient, Resource } from 'fhir/r4.js';
import { BridgeError } from '../../core/errors.ts';
import type { FhirApi, SearchAnswer } from '../../core/fhir/api.ts';
import type { Entry } from '../../core/fhir/bundle.ts';
import { saidBy } from '../../core/fhir/ehr-says.ts';
import { ownerOf } from '../../core/fhir/references/owner.ts';
import { grants } from '../../core/fhir/scopes.ts';
import { readShape } from '../../core/fhir/shape/read-shape.ts';
import { isNamedByNpi } from './named-by-npi.ts';
import { meantBy, nearestFirst } from './nearest.ts';
import { openReferences, relativeTo } from './references.ts';
import { searchWithout } from './search-without.ts';
import { type ChartSearch, includes, offersBatch, type Params, typeNamedBy } from './searches.ts';

/** Errors of optional parts. They become warnings, so that the rest of the chart is still shown. */
const partial = new Set(['ehr_error', 'ehr_not_fhir', 'ehr_unreachable', 'ehr_foreign_address']);
/** Resource types without which a chart cannot be used. */
const essential = new Set(['Patient', 'MedicationRequest']);
/** Statuses with which EHRs answer a search that they do not offer. */
const notOffered = new Set<unknown>([400, 404, 405, 410, 501]);

/** What was read, and sentences about what was not. */
interface Read {
  readonly entries: readonly Entry[];
  readonly warnings: readonly string[];
  readonly forbidden: readonly string[];
  readonly unread: readonly string[];
}

/** Collects one patient's resources from an EHR, and records what it could not read. */
export class EhrReader {
  private readonly resources = new Map<string, Resource>();
  /**
   * The resources as the EHR sent them. The chart reports elements that violate FHIR R4, as it does for charts from
   * files.
   */
  private readonly given = new Map<string, Resource>();
  private readonly asked = new Set<string>();
  private readonly warnings = new Set<string>();
  /** Codes of the notes in the EHR's search results, with the resource types of those searches. */
  private readonly notes = new Map<string, Set<string>>();
  /** The EHR's text for each code in `notes`. */
  private readonly texts = new Map<string, string>();
  private readonly forbidden = new Set<string>();
  /** Types that were not read completely, so that the chart may have more of them. */
  private readonly unread = new Set<string>();

  /** `patient` and `order` are ids. */
  constructor(
    private readonly api: FhirApi,
    private readonly patient: string,
    private readonly order: string | undefined,
  ) {}

  found(): Read {
    const entries = [...this.given].map(
      ([reference, resource]): Entry =>
        resource.id === undefined ? { resource } : { fullUrl: `${this.api.base}/${reference}`, resource },
    );
    const notes = [...this.notes].map(([code, types]) => this.noteText(code, [...types].sort().join(', ')));
    return {
      entries,
      warnings: [...this.warnings, ...notes],
      forbidden: [...this.forbidden].sort(),
      unread: [...this.unread].sort(),
    };
  }

  private noteText(code: string, types: string): string {
    const says = this.api.notes?.[code];
    if (says !== undefined) return `The EHR says that ${says}: ${types} (note ${code}).`;
    const text = this.texts.get(code);
    return text === undefined
      ? `${types}: the EHR added the note ${code}.`
      : `${types}: the EHR says “${text}” (note ${code}).`;
  }

  /**
   * Adds resources of this patient that were read before, with their warnings. Throws patient_mismatch for a focal
   * order of another patient.
   */
  take({ entries, warnings, forbidden, unread }: Read): void {
    for (const { resource } of entries) this.add(resource);
    for (const warning of warnings) this.warnings.add(warning);
    for (const type of forbidden) this.forbidden.add(type);
    for (const type of unread) this.unread.add(type);
  }

  /** Undefined if the EHR does not return it. The reader then makes only requests that every server supports. */
  capabilities(): Promise<CapabilityStatement | undefined> {
    return this.api.capabilities().catch(() => undefined);
  }

  async readPatient(): Promise<void> {
    const resource = await this.api.read<Patient>('Patient', this.patient);
    if (resource === undefined) throw new BridgeError('ehr_error', { http: 404, resource: 'Patient' });
    if (resource.id !== this.patient) throw new BridgeError('patient_mismatch', { resource: 'Patient' });
    this.add(resource);
  }

  async search(wanted: ChartSearch, statement: Promise<CapabilityStatement | undefined>): Promise<void> {
    const { type } = wanted;
    if (!grants(this.api.scopes, type, 's')) {
      if (wanted.when !== 'granted') this.refuse(type, 's');
      return;
    }
    const plain: Params = [
      ['patient', this.patient],
      ['_count', String(wanted.count ?? 100)],
      ...(wanted.params ?? []),
    ];
    const included = wanted.include === undefined ? plain : [...plain, ...includes(await statement, wanted)];
    const options = wanted.pages === undefined ? {} : { pages: wanted.pages };
    const answer = await this.tolerate(
      type,
      () => searchWithout(this.api, type, included, plain, options),
      wanted.when === 'needed' && this.order === undefined,
    );
    for (const resource of answer?.resources ?? []) this.add(resource);
    if (answer !== undefined) this.note(type, answer);
  }

  private note(type: string, { warnings, texts = {}, truncated, unread = 0, isOutside = false }: SearchAnswer): void {
    for (const code of warnings) this.notes.set(code, (this.notes.get(code) ?? new Set()).add(type));
    for (const [code, text] of Object.entries(texts)) this.texts.set(code, text);
    if (!truncated) return;
    this.unread.add(type);
    if (unread > 0)
      this.warnings.add(
        `${type}: ${unread} ${unread === 1 ? 'entry' : 'entries'} of the EHR’s answer could not be read.`,
      );
    if (isOutside)
      this.warnings.add(
        `${type}: the EHR’s next page is at an address outside of its FHIR server and was not asked for.`,
      );
    if (unread === 0 && !isOutside) this.warnings.add(`${type}: the EHR has more than was read.`);
  }

  /** Reads `Medication/1`; adds the resource, or a note that it is missing. */
  async read(reference: string): Promise<void> {
    const [type = '', id = ''] = reference.split('/');
    this.asked.add(reference);
    if (!grants(this.api.scopes, type, 'r')) {
      this.refuse(type, 'r');
      return;
    }
    await this.tolerate(
      type,
      async () => this.addOrMiss(reference, await this.readOrMiss(reference, type, id)),
      essential.has(type),
    );
  }

  // In a launch, an EHR forbids reading another patient's order. So the focal order then counts as missing in this
  // chart.
  private async readOrMiss(reference: string, type: string, id: string): Promise<Resource | undefined> {
    return this.api.read(type, id).catch((error: unknown) => {
      if (
        reference === `MedicationRequest/${this.order}` &&
        error instanceof BridgeError &&
        error.code === 'ehr_forbidden'
      )
        return undefined;
      throw error;
    });
  }

  /** References that are needed and not requested yet, first those of the focal order. */
  missing(): string[] {
    const focal = this.order === undefined ? [] : [`MedicationRequest/${this.order}`];
    const nearest = nearestFirst(this.resources, this.api.base, this.order);
    const wanted = [...focal, ...nearest.flatMap((resource) => openReferences(resource, this.api.base, this.order))];
    return [...new Set(wanted)].filter((reference) => !this.asked.has(reference) && !this.isHere(reference));
  }

  /** Records references that were not requested, as counts by type: a list of hundreds of references would not help. */
  leave(references: readonly string[]): void {
    const types = Map.groupBy(references, typeNamedBy);
    const counts = [...types].map(([type, { length }]) => `${length} ${type}`);
    if (counts.length > 0)
      this.warnings.add(`The chart refers to more than was read. Not read: ${counts.sort().join(', ')}.`);
  }

  /** Makes one more round of requests: a batch if there are many and the EHR supports batches, else in parallel. */
  async readAll(references: readonly string[], statement: CapabilityStatement | undefined): Promise<void> {
    for (const reference of references) this.asked.add(reference);
    const queries = references.filter((reference) => reference.includes('?'));
    const reads = references.filter((reference) => !queries.includes(reference));
    const asBatch = offersBatch(statement) && reads.length > 4;
    await Promise.all([
      ...queries.map((query) => this.searchOne(query)),
      ...(asBatch ? [this.readBatch(reads)] : reads.map((reference) => this.read(reference))),
    ]);
  }

  private add(given: Resource): void {
    const { resource } = readShape(given, asStated);
    // several results may lack an id, so their content is the key; nothing can refer to them
    const name =
      resource.id === undefined ? `${resource.resourceType} without an id` : `${resource.resourceType}/${resource.id}`;
    const reference = resource.id === undefined ? `${name} ${JSON.stringify(given)}` : name;
    const stated = ownerOf(resource)?.reference;
    const owner = stated === undefined ? undefined : (relativeTo(this.api.base, stated) ?? stated);
    if (owner === undefined || owner === `Patient/${this.patient}`) {
      this.resources.set(reference, resource);
      this.given.set(reference, given);
      return;
    }
    if (reference === `MedicationRequest/${this.order}`)
      throw new BridgeError('patient_mismatch', { resource: 'MedicationRequest' });
    this.warnings.add(`${name} belongs to another patient and was dropped.`);
  }

  private addOrMiss(reference: string, resource: Resource | undefined): void {
    if (resource !== undefined) {
      this.add(resource);
      return;
    }
    this.unread.add(typeNamedBy(reference));
    this.warnings.add(`${reference} is not in the EHR.`);
  }

  /**
   * Makes one request. If it fails or is forbidden, the failure becomes a note, unless the chart cannot be used without
   * it.
   */
  private async tolerate<T>(type: string, request: () => Promise<T>, isNeeded = false): Promise<T | undefined> {
    try {
      return await request();
    } catch (error) {
      if (!(error instanceof BridgeError)) throw error;
      if (error.code === 'ehr_forbidden' && !essential.has(type)) this.forbid(type);
      else if (partial.has(error.code) && !isNeeded) this.fail(type, error);
      else throw error;
      return undefined;
    }
  }

  private fail(type: string, error: BridgeError): void {
    const { http, reason } = error.facts;
    const said = saidBy(error);
    this.unread.add(type);
    if (reason === 'busy') {
      this.warnings.add(`${type} was not read: too many charts with large documents are open. Read the chart again.`);
      return;
    }
    this.warnings.add(
      `${type} could not be read (${error.code}${http === undefined ? '' : ` ${http}`}).` +
        (said === '' ? '' : ` The EHR says: “${said}”.`),
    );
  }

  /** Throws ehr_forbidden for types without which the chart cannot be used. */
  private refuse(type: string, interaction: 'r' | 's'): void {
    if (essential.has(type))
      throw new BridgeError('ehr_forbidden', { resource: type, scope: `${type}.${interaction}` });
    this.forbid(type);
  }

  private forbid(type: string): void {
    this.forbidden.add(type);
    this.unread.add(type);
  }

  private isHere(reference: string): boolean {
    // Even if a resource with this identifier was read, the search is needed: another resource may have the same
    // identifier.
    if (reference.includes('?identifier=')) return false;
    return meantBy(reference, this.resources, this.api.base).length > 0;
  }

  private searchOne(query: string): Promise<void> {
    return query.startsWith('PractitionerRole?practitioner=') ? this.searchRoles(query) : this.searchIdentifier(query);
  }

  /**
   * Searches `Practitioner?identifier=…`. The result is resolved as in a Bundle: two results, or a result with another
   * identifier, match nobody.
   */
  private async searchIdentifier(query: string): Promise<void> {
    const type = typeNamedBy(query);
    const isGranted = grants(this.api.scopes, type, 's');
    const search = () => this.api.search(type, paramsOf(query), { pages: 1 });
    const answer = isGranted ? await this.tolerate(type, search) : undefined;
    for (const resource of answer?.resources ?? []) this.add(resource);
    if (answer !== undefined) this.note(type, answer);
    if (!isGranted) this.unread.add(type);
    // An NPI already identifies the requester, so a search without a result causes no warning.
    if (isNamedByNpi(query, this.resources.values())) return;
    if (!isGranted)
      this.warnings.add(
        `${type} is named by an identifier only, and the granted scopes do not let it be searched for.`,
      );
    if (answer?.resources.length === 0)
      this.warnings.add(`${type} is named by an identifier that the EHR does not know.`);
  }

  /**
   * Searches `PractitionerRole?practitioner=…`, since some EHRs state a practice only in a role. Not every EHR has
   * roles, so a refusal causes no warning.
   */
  private async searchRoles(query: string): Promise<void> {
    if (!grants(this.api.scopes, 'PractitionerRole', 's')) return;
    const search = async () => {
      try {
        return await this.api.search('PractitionerRole', paramsOf(query));
      } catch (error) {
        const isRefusal =
          error instanceof BridgeError && (error.code === 'ehr_forbidden' || notOffered.has(error.facts.http));
        if (!isRefusal) throw error;
        this.unread.add('PractitionerRole');
        return undefined;
      }
    };
    const answer = await this.tolerate('PractitionerRole', search);
    for (const resource of answer?.resources ?? []) this.add(resource);
    if (answer !== undefined) this.note('PractitionerRole', answer);
  }

  private async readBatch(references: readonly string[]): Promise<void> {
    const readable = references.filter((reference) => grants(this.api.scopes, typeNamedBy(reference), 'r'));
    for (const reference of references) if (!readable.includes(reference)) this.refuse(typeNamedBy(reference), 'r');
    // if a batch fails, the error does not say which of its requests failed
    const answers = await this.api.batch(readable).catch((error: unknown) => {
      if (error instanceof BridgeError && (partial.has(error.code) || error.code === 'ehr_forbidden')) return undefined;
      throw error;
    });
    if (answers === undefined) await Promise.all(readable.map((reference) => this.read(reference)));
    answers?.forEach((answer, index) => {
      this.addEntry(readable[index] ?? '', answer);
    });
  }

  private addEntry(reference: string, answer: Resource | { readonly status: number }): void {
    if ('resourceType' in answer) this.add(answer);
    else if (answer.status === 403) this.refuse(typeNamedBy(reference), 'r');
    else if (answer.status === 404 || answer.status === 410) this.addOrMiss(reference, undefined);
    else {
      this.unread.add(typeNamedBy(reference));
      this.warnings.add(`${reference} could not be read (${answer.status}).`);
    }
  }
}

// The EHR is searched with the identifier system as it is spelled in the reference.
function asStated(system: string): string {
  return system;
}

function paramsOf(query: string): Params {
  return [...new URLSearchParams(query.slice(query.indexOf('?')))];
}
