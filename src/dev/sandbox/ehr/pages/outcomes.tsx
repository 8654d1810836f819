import { createHash } from 'node:crypto';
import type { DocumentReference, Task } from '@medplum/fhirtypes';
import type { ComponentChildren } from 'preact';
import { localDayText, localTimeText, type PatientChart, shownConcept } from './chart.ts';
import { EhrTable, Pill } from './layout.tsx';

/** Tasks and documents, which change while a chart is open. The browser reloads them every three seconds. */
export function Outcomes({ chart }: { chart: PatientChart }) {
  const address = `/patients/${chart.patient.id}/outcomes?seen=${outcomesVersion(chart)}`;
  return (
    <div id="outcomes" hx-get={address} hx-trigger="every 3s" hx-swap="outerHTML">
      <EhrTable
        id="tasks"
        title="Tasks"
        columns={['Task', 'Status', 'Progress', 'Reason', 'Results', 'Last change', 'Prior authorization']}
        rows={chart.tasks.map((task) => taskRow(task, chart))}
      />
      <EhrTable
        id="documents"
        title="Documents"
        columns={['Document', 'Type', 'Date', 'From', 'Status', 'Open']}
        rows={chart.documents.map(documentRow)}
      />
    </div>
  );
}

/** Returns a text that changes with the chart's Tasks and documents. */
export function outcomesVersion(chart: PatientChart): string {
  const versions = [...chart.tasks, ...chart.documents].map(
    (resource) => `${resource.resourceType}/${resource.id}/${resource.meta?.versionId}`,
  );
  return createHash('sha256').update(versions.join(' ')).digest('base64url').slice(0, 16);
}

const tones: Readonly<Record<string, 'good' | 'bad' | 'busy'>> = {
  completed: 'good',
  rejected: 'bad',
  failed: 'bad',
  cancelled: 'bad',
  requested: 'busy',
  received: 'busy',
  accepted: 'busy',
  'in-progress': 'busy',
};

function taskRow(task: Task, chart: PatientChart): ComponentChildren[] {
  return [
    <>
      <strong>{task.description ?? (shownConcept(task.code) || 'Task')}</strong>
      <small>{task.focus?.display ?? task.focus?.reference}</small>
    </>,
    <Pill key="status" value={task.status} tone={tones[task.status]} />,
    shownConcept(task.businessStatus),
    shownConcept(task.statusReason),
    <ul key="results" class="plain">
      {(task.output ?? []).map((output, index) => (
        <li key={index}>{outputContent(output, chart)}</li>
      ))}
    </ul>,
    localTimeText(task.lastModified ?? task.meta?.lastUpdated),
    <form key="open" method="post" action={`/patients/${chart.patient.id}/launch?task=${task.id}`} class="start">
      <button type="submit" aria-label={`Open the request of the task ${task.description ?? task.id}`}>
        Open the request
      </button>
    </form>,
  ];
}

function outputContent(output: NonNullable<Task['output']>[number], chart: PatientChart): ComponentChildren {
  const label = shownConcept(output.type);
  const reference = output.valueReference?.reference;
  const document = chart.documents.find((candidate) => `DocumentReference/${candidate.id}` === reference);
  if (document !== undefined) return <a href={`/documents/${document.id}/attachment`}>{titleOf(document)}</a>;
  const values = [
    output.valueString,
    shownConcept(output.valueCodeableConcept),
    output.valueDate,
    output.valueDateTime,
    output.valueCode,
    output.valueUri,
    output.valueReference?.display,
    reference,
  ];
  return `${label}: ${values.find((value) => value !== undefined && value !== '') ?? ''}`;
}

function documentRow(document: DocumentReference): ComponentChildren[] {
  const attachment = document.content[0]?.attachment;
  return [
    <strong key="title">{titleOf(document)}</strong>,
    shownConcept(document.type),
    document.date === undefined ? '' : localDayText(document.date),
    document.author?.map((author) => author.display ?? author.reference).join(', '),
    <Pill key="status" value={document.docStatus ?? document.status} />,
    <a
      key="open"
      href={`/documents/${document.id}/attachment`}
      aria-label={`Open ${formatName(attachment?.contentType)}: ${titleOf(document)}`}
    >
      Open {formatName(attachment?.contentType)}
    </a>,
  ];
}

function titleOf(document: DocumentReference): string {
  return document.content[0]?.attachment.title ?? document.description ?? (shownConcept(document.type) || 'Document');
}

function formatName(contentType: string | undefined): string {
  const names: Readonly<Record<string, string>> = {
    'application/pdf': 'PDF',
    'image/png': 'image',
    'image/jpeg': 'image',
    'text/plain': 'text',
  };
  return names[contentType?.split(';')[0] ?? ''] ?? 'file';
}
