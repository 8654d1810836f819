import type { MedicationRequest, Patient } from '@medplum/fhirtypes';
import type { EhrStore } from '../fhir/ehr-store.ts';
import { type EhrUser, ehrUsers } from '../users.ts';
import { fullName, localDayText, medicationText } from './chart.ts';
import { EhrBanner } from './layout.tsx';

export interface ListedPatient {
  readonly patient: Patient & { id: string };
  readonly sentence: string | undefined;
}

/** A link to another part of the sandbox. */
export interface EhrLink {
  readonly title: string;
  readonly says: string;
  readonly href: string;
}

/** All patients, each with the story of the chart. */
export function IndexPage({ patients, links }: { patients: readonly ListedPatient[]; links: readonly EhrLink[] }) {
  return (
    <main id="main">
      <h1>Patients</h1>
      <p>Open a chart, then start a prior authorization from one of its medications.</p>
      <ul class="patients">
        {patients.map(({ patient, sentence }) => (
          <li key={patient.id}>
            <h2>
              <a href={`/patients/${patient.id}`}>{fullName(patient.name?.[0])}</a>
            </h2>
            <p>{sentence ?? 'A patient that was added to this sandbox.'}</p>
            <p class="quiet-text">
              Born {localDayText(patient.birthDate)} · {patient.gender ?? 'sex not recorded'} · MRN{' '}
              {patient.identifier?.[0]?.value ?? 'none'}
            </p>
          </li>
        ))}
      </ul>
      {links.length > 0 && (
        <section aria-labelledby="elsewhere" class="card">
          <h2 id="elsewhere">Also in this sandbox</h2>
          <ul class="plain">
            {links.map(({ title, says, href }) => (
              <li key={title}>
                <a href={href}>{title}</a> <span class="quiet-text">{says}</span>
              </li>
            ))}
          </ul>
        </section>
      )}
    </main>
  );
}

export function UsersPage({ user }: { user: EhrUser }) {
  return (
    <main id="main">
      <h1>Sign in</h1>
      <p>Everybody here is invented. The app is opened for the person whom you choose.</p>
      <ul class="patients">
        {ehrUsers.map(({ id, name, says }) => (
          <li key={id}>
            <h2>{name}</h2>
            <p>{says}</p>
            <form method="post" action={`/users/${id}`}>
              <button type="submit" class={id === user.id ? undefined : 'secondary outline'}>
                {id === user.id ? 'Stay signed in' : 'Sign in'}
                <span class="hidden"> as {name}</span>
              </button>
            </form>
          </li>
        ))}
      </ul>
    </main>
  );
}

/** The first page of a standalone launch: selects the user and, if the app asks for a chart, the patient. */
export function EhrSignInPage({
  patients,
  user,
  query,
}: {
  patients: readonly ListedPatient[] | undefined;
  user: EhrUser;
  query: URLSearchParams;
}) {
  const withUser = (id: string) => new URLSearchParams([...query, ['user', id]]);
  return (
    <main id="main">
      <h1>{patients === undefined ? 'Sign in' : 'Choose a patient'}</h1>
      {patients === undefined ? (
        <ul class="patients">
          {ehrUsers.map(({ id, name, says }) => (
            <li key={id}>
              <a href={`/sign-in/none?${withUser(id)}`}>Sign in as {id === 'prescriber' ? 'a prescriber' : name}</a>
              <p>{says}</p>
            </li>
          ))}
        </ul>
      ) : (
        <ul class="patients">
          {patients.map(({ patient }) => (
            <li key={patient.id}>
              <a href={`/sign-in/${patient.id}?${withUser(user.id)}`}>{fullName(patient.name?.[0])}</a>
            </li>
          ))}
        </ul>
      )}
    </main>
  );
}

export function FramePage({
  patient,
  order,
  store,
  address,
  now,
}: {
  patient: Patient & { id: string };
  order: MedicationRequest;
  store: EhrStore;
  address: string;
  now: Date;
}) {
  return (
    <>
      <EhrBanner patient={patient} now={now}>
        <p class="back">
          <a href={`/patients/${patient.id}`}>Back to the chart</a>
          <span>{medicationText(store, order)}</span>
        </p>
      </EhrBanner>
      <main id="main" class="framed">
        <iframe src={address} title="Prior authorization" sandbox={frameMay} />
      </main>
    </>
  );
}

export function MessagePage({ title, text }: { title: string; text: string }) {
  return (
    <main id="main">
      <h1>{title}</h1>
      <p>{text}</p>
      <p>
        <a href="/">All patients</a>
      </p>
    </main>
  );
}

const frameMay =
  'allow-forms allow-modals allow-pointer-lock allow-popups allow-popups-to-escape-sandbox allow-same-origin ' +
  'allow-scripts allow-downloads';
