import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';

export interface ExportSize {
  readonly patients: number;
  /** Every so many patients have an active order: 1 is all of them; the orders of the others are completed. */
  readonly everyActive: number;
  /** Observations and explanations of benefit for each patient, which make most of an export. */
  readonly bulk: number;
}

/**
 * Writes a bulk export, a file for each type, in the order of the patients as servers write them. Everything is made
 * from the number of the patient, so that two runs give the same bytes.
 */
export function writeExport(folder: string, { patients, everyActive, bulk }: ExportSize): void {
  mkdirSync(folder, { recursive: true });
  const files = new Map<string, LineFile>();
  const add = (resource: { readonly resourceType: string }) => {
    const type = resource.resourceType;
    const file = files.get(type) ?? new LineFile(join(folder, `${type}.ndjson`));
    files.set(type, file);
    file.add(resource);
  };
  const doctors = Math.max(1, Math.ceil(patients / 50));
  for (let at = 0; at < Math.max(1, Math.ceil(doctors / 20)); at += 1) add(organization(at));
  for (let at = 0; at < doctors; at += 1) for (const resource of prescriber(at)) add(resource);
  for (let at = 0; at < patients; at += 1) {
    const isActive = at % everyActive === 0;
    for (const resource of chart(at, { isActive, doctor: at % doctors })) add(resource);
    for (let visit = 0; visit < bulk; visit += 1) for (const resource of bulky(at, visit)) add(resource);
  }
  for (const file of files.values()) file.end();
}

class LineFile {
  private readonly file: number;
  private lines: string[] = [];
  private length = 0;

  constructor(path: string) {
    this.file = openSync(path, 'w');
  }

  add(resource: object): void {
    const line = `${JSON.stringify(resource)}\n`;
    this.lines.push(line);
    this.length += line.length;
    if (this.length > 1 << 20) this.write();
  }

  end(): void {
    this.write();
    closeSync(this.file);
  }

  private write(): void {
    writeSync(this.file, this.lines.join(''));
    [this.lines, this.length] = [[], 0];
  }
}

const idOf = (kind: string, at: number, part = 0) => `${kind}-${String(at).padStart(8, '0')}-${part}`;
const person = (at: number) => ({ reference: `Patient/${idOf('pt', at)}`, display: 'Invented, Émile' });
const meta = (at: number) => ({ versionId: '1', lastUpdated: `2026-0${1 + (at % 9)}-1${at % 10}T08:15:00.000Z` });
const doctorOf = (at: number) => ({ reference: `Practitioner/${idOf('dr', at)}`, display: 'Exempla Doctor, MD' });
const narrative = (text: string) => ({
  status: 'generated',
  div: `<div xmlns="http://www.w3.org/1999/xhtml"><p>${text}</p></div>`,
});

const drugs = [
  ['1657981', 'sarilumab 200 MG/1.14 ML Prefilled Syringe', 'Kevzara 200 mg/1.14 mL syringe'],
  ['727757', 'adalimumab 40 MG/0.8 ML Prefilled Syringe', 'Humira 40 mg/0.8 mL syringe'],
  ['616015', 'etanercept 50 MG/ML Auto-Injector', 'Enbrel 50 mg/mL autoinjector'],
] as const;

const findings = [
  ['M05.79', 'Rheumatoid arthritis with rheumatoid factor of multiple sites'],
  ['L40.0', 'Psoriasis vulgaris'],
  ['K50.90', 'Crohn’s disease, unspecified, without complications'],
] as const;

function chart(at: number, { isActive, doctor }: { readonly isActive: boolean; readonly doctor: number }) {
  const [code, display, text] = drugs[at % drugs.length] ?? drugs[0];
  const [icd, finding] = findings[at % findings.length] ?? findings[0];
  const day = `2026-0${1 + (at % 9)}-1${at % 10}`;
  return [
    {
      resourceType: 'Patient',
      id: idOf('pt', at),
      meta: meta(at),
      text: narrative('Invented, Émile'),
      identifier: [
        {
          type: { coding: [{ system: 'http://terminology.hl7.org/CodeSystem/v2-0203', code: 'MR' }] },
          system: 'urn:oid:2.16.840.1.113883.19.5',
          value: `${100000 + at}`,
        },
      ],
      active: true,
      name: [{ use: 'official', family: `Invented${at % 997}`, given: ['Émile', 'Q'] }],
      telecom: [{ system: 'phone', value: `555-01${String(at % 100).padStart(2, '0')}`, use: 'home' }],
      gender: at % 2 === 0 ? 'female' : 'male',
      birthDate: `19${50 + (at % 50)}-0${1 + (at % 9)}-1${at % 10}`,
      address: [
        { use: 'home', line: [`${at % 999} Example Street`], city: 'Boston', state: 'MA', postalCode: '02115' },
      ],
    },
    {
      resourceType: 'Coverage',
      id: idOf('cov', at),
      meta: meta(at),
      status: 'active',
      type: { coding: [{ system: 'http://terminology.hl7.org/CodeSystem/v3-ActCode', code: 'EHCPOL' }] },
      subscriberId: `W${String(at).padStart(9, '0')}`,
      beneficiary: person(at),
      relationship: {
        coding: [{ system: 'http://terminology.hl7.org/CodeSystem/subscriber-relationship', code: 'self' }],
      },
      period: { start: '2026-01-01' },
      payor: [{ reference: `Organization/${idOf('org', 0)}`, display: 'Example Health Plan' }],
      class: [
        { type: { coding: [{ code: 'group' }] }, value: `G${at % 50}`, name: 'Example group' },
        { type: { coding: [{ code: 'rxbin' }] }, value: '610014' },
        { type: { coding: [{ code: 'rxpcn' }] }, value: 'MEDDPRIME' },
      ],
    },
    {
      resourceType: 'MedicationRequest',
      id: idOf('mr', at),
      meta: meta(at),
      status: isActive ? 'active' : 'completed',
      intent: 'order',
      medicationCodeableConcept: {
        coding: [{ system: 'http://www.nlm.nih.gov/research/umls/rxnorm', code, display }],
        text,
      },
      subject: person(at),
      encounter: { reference: `Encounter/${idOf('enc', at)}` },
      authoredOn: `${day}T14:20:00Z`,
      requester: doctorOf(doctor),
      reasonReference: [{ reference: `Condition/${idOf('cond', at)}` }],
      insurance: [{ reference: `Coverage/${idOf('cov', at)}` }],
      dosageInstruction: [
        {
          text: 'Inject 1 syringe under the skin every 2 weeks',
          timing: { repeat: { frequency: 1, period: 2, periodUnit: 'wk' } },
          route: { coding: [{ system: 'http://snomed.info/sct', code: '34206005', display: 'Subcutaneous route' }] },
          doseAndRate: [{ doseQuantity: { value: 1, unit: 'syringe' } }],
        },
      ],
      dispenseRequest: {
        numberOfRepeatsAllowed: 5,
        quantity: { value: 2, unit: 'syringe' },
        expectedSupplyDuration: { value: 28, unit: 'days', system: 'http://unitsofmeasure.org', code: 'd' },
      },
    },
    {
      resourceType: 'Condition',
      id: idOf('cond', at),
      meta: meta(at),
      clinicalStatus: {
        coding: [{ system: 'http://terminology.hl7.org/CodeSystem/condition-clinical', code: 'active' }],
      },
      verificationStatus: {
        coding: [{ system: 'http://terminology.hl7.org/CodeSystem/condition-ver-status', code: 'confirmed' }],
      },
      category: [
        { coding: [{ system: 'http://terminology.hl7.org/CodeSystem/condition-category', code: 'problem-list-item' }] },
      ],
      code: { coding: [{ system: 'http://hl7.org/fhir/sid/icd-10-cm', code: icd, display: finding }], text: finding },
      subject: person(at),
      onsetDateTime: '2022-05-04',
      recordedDate: '2022-05-04',
    },
    {
      resourceType: 'Encounter',
      id: idOf('enc', at),
      meta: meta(at),
      status: 'finished',
      class: { system: 'http://terminology.hl7.org/CodeSystem/v3-ActCode', code: 'AMB' },
      type: [{ text: 'Office visit' }],
      subject: person(at),
      participant: [{ individual: doctorOf(doctor) }],
      period: { start: `${day}T14:00:00Z`, end: `${day}T14:30:00Z` },
    },
  ];
}

function bulky(at: number, visit: number) {
  const day = `2025-0${1 + (visit % 9)}-1${at % 10}`;
  const item = (sequence: number) => ({
    sequence,
    productOrService: { coding: [{ system: 'http://www.ama-assn.org/go/cpt', code: `992${10 + sequence}` }] },
    servicedDate: day,
    net: { value: 80 + sequence, currency: 'USD' },
    adjudication: [{ category: { text: 'submitted' }, amount: { value: 80 + sequence, currency: 'USD' } }],
  });
  return [
    {
      resourceType: 'Observation',
      id: idOf('obs', at, visit),
      meta: meta(at),
      status: 'final',
      category: [
        { coding: [{ system: 'http://terminology.hl7.org/CodeSystem/observation-category', code: 'laboratory' }] },
      ],
      code: { coding: [{ system: 'http://loinc.org', code: '718-7', display: 'Hemoglobin [Mass/volume] in Blood' }] },
      subject: person(at),
      effectiveDateTime: `${day}T08:15:00-05:00`,
      valueQuantity: { value: 13.4, unit: 'g/dL', system: 'http://unitsofmeasure.org', code: 'g/dL' },
      referenceRange: [{ low: { value: 12, unit: 'g/dL' }, high: { value: 16, unit: 'g/dL' }, text: '12 to 16 g/dL' }],
    },
    {
      resourceType: 'ExplanationOfBenefit',
      id: idOf('eob', at, visit),
      meta: meta(at),
      status: 'active',
      type: { coding: [{ system: 'http://terminology.hl7.org/CodeSystem/claim-type', code: 'professional' }] },
      use: 'claim',
      patient: person(at),
      created: `${day}T23:00:00Z`,
      insurer: { display: 'Example Health Plan' },
      provider: doctorOf(0),
      outcome: 'complete',
      insurance: [{ focal: true, coverage: { reference: `Coverage/${idOf('cov', at)}` } }],
      item: [1, 2, 3].map(item),
      total: [{ category: { text: 'submitted' }, amount: { value: 246, currency: 'USD' } }],
    },
  ];
}

function organization(at: number) {
  return {
    resourceType: 'Organization',
    id: idOf('org', at),
    meta: meta(at),
    active: true,
    name: at === 0 ? 'Example Health Plan' : `Example Clinic ${at}`,
    telecom: [{ system: 'phone', value: '555-0100' }],
    address: [{ line: ['1 Example Way'], city: 'Boston', state: 'MA', postalCode: '02115' }],
  };
}

function prescriber(at: number) {
  return [
    {
      resourceType: 'Practitioner',
      id: idOf('dr', at),
      meta: meta(at),
      active: true,
      identifier: [{ system: 'http://hl7.org/fhir/sid/us-npi', value: '1234567893' }],
      name: [{ family: `Doctor${at}`, given: ['Exempla'] }],
      telecom: [
        { system: 'phone', value: '555-0111', use: 'work' },
        { system: 'fax', value: '555-0112', use: 'work' },
      ],
      address: [{ line: ['2 Example Way'], city: 'Boston', state: 'MA', postalCode: '02115' }],
    },
    {
      resourceType: 'PractitionerRole',
      id: idOf('role', at),
      meta: meta(at),
      active: true,
      practitioner: doctorOf(at),
      organization: { reference: `Organization/${idOf('org', Math.floor(at / 20))}` },
    },
  ];
}
