import type { VNode } from 'preact';
import { type Case, recordOf } from '../../../cases/case.ts';
import { cellTexts } from '../../../core/answers/answer-text.ts';
import { personCells } from '../../../core/contract/answers-sheet.ts';
import { dateOrText } from '../../../core/fhir/time/day-text.ts';
import type { Launch } from '../../../ehr/smart/types.ts';
import { visibleOutcome } from '../../../service/outcome-words.ts';
import { kindPages } from '../../request/kind-pages.ts';
import { payerWords } from '../../request/payer-words.ts';
import { fullNameOf } from '../../request/print/shown-request.ts';
import type { QuestionAnswers } from '../../request/reply-answers.ts';
import type { Carried } from '../../request/typed/carried.ts';
import { AnswerRemarks } from '../../ui/answer-marks.tsx';
import { AnswerSource } from '../../ui/answer-source.tsx';
import { Heading } from '../../ui/heading.tsx';
import { Page } from '../../ui/page.tsx';
import { standingOf } from '../../ui/status.tsx';
import type { AppealDeadline } from './appeal.ts';
import { denialWay, takesAppeals } from './denial-way.ts';
import { OutcomeFacts } from './outcome-facts.tsx';
import { questionWords } from './question-words.ts';
import { actions, denial, inSiteWords, serviceName, again as words } from './words.ts';

export interface AgainView {
  readonly launch: Launch;
  readonly case: Case;
  readonly carried: Carried;
  /** The chart's answers to the reasons of the denial. */
  readonly answers: QuestionAnswers;
  /** The URL of an open request for this order. */
  readonly started?: string | undefined;
  readonly appeal?: AppealDeadline | undefined;
  readonly home: string;
  readonly here: string;
  readonly token: string;
  readonly today: string;
}

/**
 * Shown before a new request after a denial: the payer's reason, the entries carried over, and what has changed since.
 */
export function AgainPage({ view }: { readonly view: AgainView }): VNode {
  const { launch, home, here, token, started } = view;
  const one = view.case;
  const way = denialWay(one, launch.site);
  return (
    <Page
      title={`${one.title}: new request`}
      session={launch}
      home={home}
      token={token}
      banner={launch.needPatientBanner ? one.banner : undefined}
      assets={['case.css']}
    >
      <p class="crumb">
        <a href={`${home}/orders`}>{actions.orders}</a> › <a href={here}>{one.title}</a>
      </p>
      <Heading title={denial.ways[way]}>
        {one.title}. {words.leads[way]}
      </Heading>
      <Earlier view={view} />
      <ForIt answers={view.answers} />
      {started === undefined && <Suggested suggested={view.carried.suggested} />}
      <CarriedOver view={view} />
      <Changed view={view} />
      {started === undefined && way === 'exception' && <Reason profile={launch.site.service.profile} />}
      <form id="again" method="post" action={here} class="actions">
        <input type="hidden" name="token" value={token} />
        {started === undefined ? (
          <button type="submit" name="action" value="again" class="go">
            {words.go}
          </button>
        ) : (
          <a href={started} class="button go">
            {words.go}
          </a>
        )}
        <a href={here} class="button quiet-button">
          {words.back}
        </a>
      </form>
    </Page>
  );
}

/** An exception needs a reason, because without one the same request would be sent again. */
function Reason({ profile }: { readonly profile: Launch['site']['service']['profile'] }): VNode {
  return (
    <section class="card" aria-labelledby="why">
      <h2 id="why">
        <label for="reason">{words.reason}</label>
      </h2>
      <textarea id="reason" name="reason" form="again" rows={4} maxLength={2000} aria-describedby="reason-hint" />
      <p class="hint" id="reason-hint">
        {profile === 'current' ? words.reasonGoes : words.reasonGoesWithAnswers}
      </p>
    </section>
  );
}

function Earlier({ view: { case: one, launch, appeal, today } }: { readonly view: AgainView }): VNode {
  const record = recordOf(one);
  const outcome = record === undefined ? undefined : visibleOutcome(record);
  const { label, tone } = standingOf(one, today);
  return (
    <section class="card" aria-labelledby="earlier">
      <div class={`headline tone-${tone}`}>
        <h2 id="earlier">{inSiteWords(label, launch.site)}</h2>
        {record !== undefined && outcome !== undefined && (
          <OutcomeFacts
            outcome={outcome}
            record={record}
            service={serviceName(launch.site)}
            appeal={appeal}
            takesAppeals={takesAppeals(launch.site)}
            today={today}
          />
        )}
      </div>
    </section>
  );
}

/** What the denial asks for, with the chart's answers. */
function ForIt({ answers: { asked } }: { readonly answers: QuestionAnswers }): VNode {
  return (
    <section class="card" aria-labelledby="has">
      <h2 id="has">{words.has}</h2>
      {asked.length === 0 && <p>{words.noMatch}</p>}
      {asked.map(({ cell, lines, missing }) => (
        <div key={cell}>
          <h3>{cellTexts[cell].question}</h3>
          {lines.length === 0 && <p>{personCells.includes(cell) ? words.onlyYou : words.notInChart}</p>}
          {lines.map((line) => (
            <div key={line.key}>
              <p id={`has-${line.key}`}>{line.texts.join('; ')}</p>
              <AnswerRemarks line={line} />
              <AnswerSource places={line.places} of={`has-${line.key}`} />
            </div>
          ))}
          {lines.length > 0 && missing.length > 0 && (
            <p>
              <strong>{questionWords.named(missing)}</strong> {questionWords.notInChart}
            </p>
          )}
        </div>
      ))}
    </section>
  );
}

/** Suggested documents that the denied request did not have. They are preselected, so that one button includes them. */
function Suggested({ suggested }: Pick<Carried, 'suggested'>): VNode | null {
  if (suggested.length === 0) return null;
  return (
    <section class="card" aria-labelledby="missing">
      <h2 id="missing">{words.suggested}</h2>
      <p class="hint">{words.suggestedHint}</p>
      <ul class="ticks missing">
        {suggested.map(({ reference, label }, index) => (
          <li key={reference}>
            <input
              id={`missing-${index}`}
              type="checkbox"
              name="evidence"
              value={reference}
              form="again"
              defaultChecked
            />{' '}
            <label for={`missing-${index}`}>{label}</label>
          </li>
        ))}
      </ul>
    </section>
  );
}

function CarriedOver({ view: { case: one, carried, started } }: { readonly view: AgainView }): VNode {
  const { entries, documents, dropped } = carried;
  const entered = Object.entries(entries.edits);
  const typed = entries.sheet?.statements ?? [];
  const { sections } = kindPages[one.kind];
  return (
    <section class="card" aria-labelledby="carried">
      <h2 id="carried">{words.carried}</h2>
      {started !== undefined && <p class="notice">{words.draftExists}</p>}
      {entered.length + typed.length + documents.length === 0 && <p>{words.nothing}</p>}
      {entered.length > 0 && (
        <>
          <h3>{words.entries(entered.length)}</h3>
          <ul>
            {entered.map(([target, value]) => (
              <li key={target}>
                {fullNameOf(target, sections)}: {value === null ? words.none : <q>{dateOrText(String(value))}</q>}
              </li>
            ))}
          </ul>
        </>
      )}
      {typed.length > 0 && (
        <>
          <h3>{words.typed(typed.length)}</h3>
          <ul>
            {typed.map(({ cell, text, by, at }) => (
              <li key={cell}>
                {cellTexts[cell].question} <q>{text}</q> <span class="quiet-text">{payerWords.statedBy(by, at)}</span>
              </li>
            ))}
          </ul>
        </>
      )}
      {documents.length > 0 && (
        <>
          <h3>{words.documents(documents.length)}</h3>
          <ul>
            {documents.map((title) => (
              <li key={title}>{title}</li>
            ))}
          </ul>
        </>
      )}
      {dropped.length > 0 && (
        <div class="notice">
          <h3>{words.dropped}</h3>
          <ul>
            {dropped.map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
        </div>
      )}
    </section>
  );
}

function Changed({ view: { case: one, carried } }: { readonly view: AgainView }): VNode {
  const { sections } = kindPages[one.kind];
  return (
    <section class="card" aria-labelledby="changed">
      <h2 id="changed">{words.changed}</h2>
      {carried.changes.length === 0 && <p class="notice">{words.unchanged}</p>}
      {carried.changes.length > 0 && (
        <dl class="lines">
          {carried.changes.map(({ target, before, after }) => (
            <div class="line" key={target}>
              <dt>{fullNameOf(target, sections)}</dt>
              <dd>
                {words.was} {before === undefined ? words.none : <q>{dateOrText(before)}</q>}, {words.is}{' '}
                {after === undefined ? words.none : <q>{dateOrText(after)}</q>}
              </dd>
            </div>
          ))}
        </dl>
      )}
    </section>
  );
}
