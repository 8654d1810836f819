import type { Patient } from '@medplum/fhirtypes';
import type { ComponentChildren } from 'preact';
import { render } from 'preact-render-to-string';
import type { EhrUser } from '../users.ts';
import { ageAt, fullName, localDayText } from './chart.ts';

export function ehrPage(title: string, content: ComponentChildren, user?: EhrUser): string {
  return `<!doctype html>${render(
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{`${title} · Sandbox EHR`}</title>
        <link rel="icon" href="/assets/icon.svg" />
        <link rel="stylesheet" href="/assets/pico.min.css" />
        <link rel="stylesheet" href="/assets/bridge.css" />
        <link rel="stylesheet" href="/assets/sandbox.css" />
        <link rel="stylesheet" href="/assets/ehr.css" />
        <script src="/assets/htmx.min.js" defer />
      </head>
      <body>
        <a class="skip" href="#main">
          Skip to the chart
        </a>
        <header class="top">
          <p class="ribbon">Sandbox: every person in this EHR is invented.</p>
          <div class="bar">
            <p class="brand">
              <a href="/">Lakeview Specialty Clinic</a>
            </p>
            <nav aria-label="Main">
              <a href="/">All patients</a>
              <a href="/sandbox/faults">Faults</a>
              {user !== undefined && (
                <a href="/users">
                  Signed in: {user.name}
                  <span class="hidden">. Change</span>
                </a>
              )}
            </nav>
          </div>
        </header>
        {content}
      </body>
    </html>,
  )}`;
}

/** The patient of the chart, at the top of every page. */
export function EhrBanner({ patient, now, children }: { patient: Patient; now: Date; children?: ComponentChildren }) {
  const mrn = patient.identifier?.find((identifier) =>
    identifier.type?.coding?.some((coding) => coding.code === 'MR'),
  )?.value;
  const phone = patient.telecom?.find((telecom) => telecom.system === 'phone')?.value;
  const facts: [string, string | undefined][] = [
    [
      'Born',
      patient.birthDate === undefined
        ? undefined
        : `${localDayText(patient.birthDate)} (${ageAt(patient.birthDate, now)} years)`,
    ],
    ['Sex', patient.gender],
    ['MRN', mrn],
    ['Phone', phone],
  ];
  return (
    <section class="patient" aria-label="Patient">
      <h1 class="patient-name">{fullName(patient.name?.[0])}</h1>
      <dl>
        {facts.map(([term, value]) =>
          value === undefined ? null : (
            <div key={term}>
              <dt>{term}</dt>
              <dd>{value}</dd>
            </div>
          ),
        )}
      </dl>
      {children}
    </section>
  );
}

/** A table with its heading, or a sentence if it is empty. */
export function EhrTable({
  id,
  title,
  columns,
  rows,
}: {
  id: string;
  title: string;
  columns: readonly string[];
  rows: readonly (readonly ComponentChildren[])[];
}) {
  return (
    <section aria-labelledby={id} class="card">
      <h2 id={id}>{title}</h2>
      {rows.length === 0 ? (
        <p class="empty">Nothing recorded.</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scrolling content must be reachable by keyboard (WCAG 2.1.1)
        // biome-ignore lint/a11y/useSemanticElements: a fieldset is for form fields
        <div class="scroll" role="group" aria-labelledby={id} tabIndex={0}>
          <table>
            <thead>
              <tr>
                {columns.map((column) => (
                  <th scope="col" key={column}>
                    {column}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map((cells, row) => (
                <tr key={row}>
                  {cells.map((cell, column) => (
                    <td key={columns[column]} data-label={columns[column]}>
                      {cell}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}

/** A status in a colored pill. The word states it; the color only helps. */
export function Pill({ value, tone }: { value: string; tone?: 'good' | 'bad' | 'busy' | undefined }) {
  return <span class={tone === undefined ? 'pill' : `pill ${tone}`}>{value}</span>;
}
