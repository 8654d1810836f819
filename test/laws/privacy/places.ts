import type { CodeableConcept, Condition, DocumentReference, Encounter, FhirResource, Observation } from 'fhir/r4.js';
import { systems } from '../../../src/core/fhir/codes/systems.ts';
import type { Draft } from '../draft.ts';
import { type Fact, ordinaryText, type Way } from './facts.ts';

/** A place of a chart where a fact can stand. */
export interface Place {
  readonly name: string;
  readonly ways: readonly Way[];
  /** Only in the chart of a drug that asks for the test and usually follows the therapy. */
  readonly needsClass?: true;
  /** Whether nothing of it is ever suggested, whatever it says. */
  readonly isUnread?: true;
  /** Puts it there, or something ordinary; answers with what must not go, or must. */
  readonly plant: (chart: Draft, fact: Fact | undefined) => string;
}

const active = { coding: [{ code: 'active' }] };

function add(chart: Draft, resource: FhirResource): string {
  const name = `${resource.resourceType}/${resource.id}`;
  const order = chart.entries.find((entry) => entry.resource === chart.order)?.fullUrl;
  const base = order?.replace(/\/MedicationRequest\/[^/]*$/, '');
  const address = base === undefined || base === order ? {} : { fullUrl: `${base}/${name}` };
  chart.entries.push({ resource: structuredClone(resource), ...address });
  return name;
}

const subjectOf = ({ patient }: Draft) => ({ reference: `Patient/${patient.id}` });
const visit = { reference: 'Encounter/law-visit' };

function visitOf(chart: Draft, more: Partial<Encounter> = {}): void {
  chart.order.encounter = visit;
  const resource: Encounter = {
    resourceType: 'Encounter',
    id: 'law-visit',
    status: 'finished',
    class: { system: systems.v3actcode, code: 'AMB' },
    subject: subjectOf(chart),
    serviceType: { text: 'Rheumatology' },
    ...more,
  };
  add(chart, resource);
}

function noteOf(chart: Draft, text: string, more: Partial<DocumentReference> = {}): string {
  const resource: DocumentReference = {
    resourceType: 'DocumentReference',
    id: 'law-note',
    status: 'current',
    type: { text: 'Progress note' },
    subject: subjectOf(chart),
    date: '2026-11-12T09:30:00-08:00',
    content: [{ attachment: { contentType: 'text/plain', data: Buffer.from(text).toString('base64') } }],
    context: { encounter: [visit] },
    ...more,
  };
  return add(chart, resource);
}

function testOf(chart: Draft, more: Partial<Observation> = {}): string {
  const resource: Observation = {
    resourceType: 'Observation',
    id: 'law-test',
    status: 'final',
    category: [{ coding: [{ code: 'laboratory' }] }],
    code: { coding: [{ system: systems.loinc, code: '71773-6' }] },
    subject: subjectOf(chart),
    effectiveDateTime: '2026-10-01',
    valueString: 'Negative',
    ...more,
  };
  return add(chart, resource);
}

function memberOf(chart: Draft, code: CodeableConcept): string {
  return testOf(chart, { id: 'law-member', code });
}

function conditionOf(chart: Draft, more: Partial<Condition>): string {
  const resource: Condition = {
    resourceType: 'Condition',
    id: 'law-condition',
    clinicalStatus: active,
    subject: subjectOf(chart),
    recordedDate: '2025-01-15',
    code: { text: 'Rheumatoid arthritis' },
    ...more,
  };
  return add(chart, resource);
}

function reasonOf(chart: Draft, more: Partial<Condition>): string {
  const name = conditionOf(chart, more);
  chart.order.reasonReference = [{ reference: name }];
  return name;
}

function therapyOf(chart: Draft, more: object = {}): string {
  const resource: FhirResource = {
    resourceType: 'MedicationRequest',
    id: 'law-therapy',
    status: 'stopped',
    intent: 'order',
    medicationCodeableConcept: { text: 'methotrexate 2.5 MG Oral Tablet' },
    subject: subjectOf(chart),
    authoredOn: '2025-03-03',
    ...more,
  };
  return add(chart, resource);
}

const ordinaryCode = { text: 'Comprehensive panel' };
const concept = (fact: Fact | undefined, ordinary: CodeableConcept): CodeableConcept => fact?.concept ?? ordinary;
const said = (fact: Fact | undefined) => (fact?.text === undefined ? ordinaryText : `${ordinaryText} ${fact.text}`);
const marked = (fact: Fact | undefined) =>
  fact?.label === undefined ? {} : { meta: { security: [{ code: fact.label }] } };
// beyond the characters that are read of a note
const long = Array.from({ length: 400 }, (_, line) => `Line ${line}: ${ordinaryText}`).join('\n');

export const places: readonly Place[] = [
  {
    name: 'the type of a note',
    ways: ['code', 'words', 'unknown'],
    plant: (chart, fact) => {
      visitOf(chart);
      return noteOf(chart, ordinaryText, { type: concept(fact, { text: 'Progress note' }) });
    },
  },
  {
    name: 'the text of a note',
    ways: ['words', 'notice'],
    plant: (chart, fact) => {
      visitOf(chart);
      return noteOf(chart, said(fact));
    },
  },
  {
    name: 'the end of a long note',
    ways: ['words', 'notice'],
    isUnread: true,
    plant: (chart, fact) => {
      visitOf(chart);
      return noteOf(chart, `${long}\n${said(fact)}`);
    },
  },
  {
    name: 'a note behind newer ones',
    ways: ['words', 'notice'],
    isUnread: true,
    plant: (chart, fact) => {
      visitOf(chart);
      for (let index = 0; index < 6; index += 1)
        noteOf(chart, ordinaryText, { id: `law-newer-${index}`, date: `2026-11-1${4 + index}T09:00:00Z`, context: {} });
      return noteOf(chart, said(fact));
    },
  },
  {
    name: 'a note at another address',
    ways: ['words'],
    isUnread: true,
    plant: (chart) => {
      visitOf(chart);
      return noteOf(chart, '', {
        content: [{ attachment: { contentType: 'text/plain', url: 'https://files.example/n' } }],
      });
    },
  },
  {
    name: 'the label of a note',
    ways: ['label'],
    plant: (chart, fact) => {
      visitOf(chart);
      return noteOf(chart, ordinaryText, marked(fact));
    },
  },
  {
    name: 'the kind of service of the visit',
    ways: ['code', 'words'],
    plant: (chart, fact) => {
      visitOf(chart, { serviceType: concept(fact, { text: 'Cardiology' }) });
      return noteOf(chart, ordinaryText);
    },
  },
  {
    name: 'the department of the visit',
    ways: ['words', 'label'],
    plant: (chart, fact) => {
      visitOf(chart, { location: [{ location: { display: fact?.text ?? 'Cardiology clinic' } }], ...marked(fact) });
      return noteOf(chart, ordinaryText);
    },
  },
  {
    name: 'the code of the order’s reason',
    ways: ['code', 'words', 'unknown'],
    plant: (chart, fact) => reasonOf(chart, { code: concept(fact, { text: 'Rheumatoid arthritis' }) }),
  },
  {
    name: 'a note on the order’s reason',
    ways: ['notice', 'label'],
    plant: (chart, fact) => reasonOf(chart, { note: [{ text: fact?.text ?? ordinaryText }], ...marked(fact) }),
  },
  {
    name: 'a component of a test',
    ways: ['code', 'words', 'unknown'],
    needsClass: true,
    plant: (chart, fact) =>
      testOf(chart, { component: [{ code: concept(fact, { text: 'Mitogen control' }), valueString: 'Positive' }] }),
  },
  {
    name: 'the report that lists a test',
    ways: ['code', 'words', 'label', 'notice'],
    needsClass: true,
    plant: (chart, fact) => {
      const name = testOf(chart);
      add(chart, {
        resourceType: 'DiagnosticReport',
        id: 'law-report',
        status: 'final',
        code: concept(fact?.how === 'words' || fact?.how === 'a code alone' ? fact : undefined, ordinaryCode),
        subject: subjectOf(chart),
        result: [{ reference: name }],
        ...(fact?.how === 'the notice' ? { conclusion: said(fact) } : {}),
        ...marked(fact),
      });
      return name;
    },
  },
  {
    name: 'the panel that holds a test',
    ways: ['code', 'words', 'label'],
    needsClass: true,
    plant: (chart, fact) => {
      const name = testOf(chart);
      testOf(chart, {
        id: 'law-panel',
        code: concept(fact, ordinaryCode),
        hasMember: [{ reference: name }],
        ...marked(fact),
      });
      return name;
    },
  },
  {
    name: 'a member of a report of the visit',
    ways: ['code', 'words', 'label'],
    plant: (chart, fact) => {
      visitOf(chart);
      const member = memberOf(chart, concept(fact, { text: 'Hemoglobin' }));
      Object.assign(chart.entries.at(-1)?.resource ?? {}, marked(fact));
      return add(chart, {
        resourceType: 'DiagnosticReport',
        id: 'law-report',
        status: 'final',
        code: ordinaryCode,
        subject: subjectOf(chart),
        encounter: visit,
        effectiveDateTime: '2026-11-12',
        conclusion: 'As before.',
        result: [{ reference: member }],
      });
    },
  },
  {
    name: 'what a test was worked out from',
    ways: ['code', 'words'],
    needsClass: true,
    plant: (chart, fact) => {
      const member = memberOf(chart, concept(fact, { text: 'Lymphocytes' }));
      return testOf(chart, { derivedFrom: [{ reference: member }] });
    },
  },
  {
    name: 'the reason of a therapy',
    ways: ['code', 'words'],
    needsClass: true,
    plant: (chart, fact) => therapyOf(chart, { reasonCode: [concept(fact, { text: 'Rheumatoid arthritis' })] }),
  },
  {
    name: 'the condition that a therapy was for',
    ways: ['code', 'words', 'label', 'notice'],
    needsClass: true,
    plant: (chart, fact) => {
      const code = concept(fact, { text: 'Rheumatoid arthritis' });
      const reason = conditionOf(chart, { code, note: [{ text: said(fact) }], ...marked(fact) });
      return therapyOf(chart, { reasonReference: [{ reference: reason }] });
    },
  },
  {
    name: 'the section of a document that lists a test',
    ways: ['code', 'words', 'label'],
    needsClass: true,
    plant: (chart, fact) => {
      const name = testOf(chart);
      add(chart, {
        resourceType: 'Composition',
        id: 'law-document',
        status: 'final',
        type: { text: 'Summary' },
        subject: subjectOf(chart),
        date: '2026-10-02',
        author: [{ display: 'Clinic' }],
        title: 'Summary',
        section: [{ code: concept(fact, { text: 'Results' }), entry: [{ reference: name }] }],
        ...marked(fact),
      });
      return name;
    },
  },
];
