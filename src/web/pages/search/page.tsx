import type { ComponentChildren, VNode } from 'preact';
import { disclaimers, icd10cm } from '../../../config/code-systems.ts';
import { BesideReview, type BesideReviewView, Hidden } from '../../ui/beside-review.tsx';
import { Heading } from '../../ui/heading.tsx';
import { search } from '../documents/words.ts';
import type { FoundCodes } from './search-codes.ts';
import type { FoundPharmacy } from './search-pharmacies.ts';

interface FindView extends BesideReviewView {
  readonly text: string;
}

/** The search for diagnosis codes for browsers without scripts. */
export function FindCodePage({ view }: { readonly view: FindView & { readonly found: FoundCodes } }): VNode {
  const { found, text } = view;
  const { codes, category, file } = found;
  return (
    <FindPage view={view} what="diagnosis" title={search.codeTitle} label={search.codeLabel} hint={search.codeHint}>
      {category !== undefined && <p class="notice">{search.category(category.code, category.title)}</p>}
      {codes.length === 0 && text !== '' && <p role="status">{search.nothing}</p>}
      {codes.length > 0 && (
        <Results view={view} what="diagnosis">
          {codes.map(({ code, title, note }) => (
            <Result key={code} value={code} name={code} detail={title} note={note} />
          ))}
        </Results>
      )}
      <p class="hint">
        {file === undefined ? search.noFile : `${search.fromFile(file.year)}. ${disclaimers[icd10cm]}`}
      </p>
    </FindPage>
  );
}

/** The search for pharmacies for browsers without scripts. */
export function FindPharmacyPage({
  view,
}: {
  readonly view: FindView & { readonly found: readonly FoundPharmacy[] };
}): VNode {
  const { found } = view;
  return (
    <FindPage
      view={view}
      what="pharmacy"
      title={search.pharmacyTitle}
      label={search.pharmacyLabel}
      hint={search.pharmacyHint}
    >
      {found.length === 0 && <p role="status">{view.text === '' ? search.noPharmacy : search.nothing}</p>}
      {found.length > 0 && (
        <Results view={view} what="pharmacy">
          {found.map(({ name, detail, note, fields }) => {
            const value = JSON.stringify(fields);
            return <Result key={value} value={value} name={name} detail={detail} note={note} />;
          })}
        </Results>
      )}
    </FindPage>
  );
}

interface FindProps {
  readonly view: FindView;
  readonly what: 'diagnosis' | 'pharmacy';
  readonly title: string;
  readonly label: string;
  readonly hint: string;
  readonly children: ComponentChildren;
}

function FindPage({ view, what, title, label, hint, children }: FindProps): VNode {
  const { draft, review, text } = view;
  return (
    <BesideReview view={view} page={title}>
      <Heading title={title}>{draft.case.title}</Heading>
      <form method="post" action={`${review}/find/${what}`} class="find" id="find">
        <Hidden view={view} />
        <label for="q">{label}</label>
        <div class="find-row">
          <input
            id="q"
            name="q"
            type="search"
            value={text}
            maxLength={200}
            aria-describedby="q-hint"
            autocomplete="off"
          />
          <button type="submit" class="go">
            {search.button}
          </button>
        </div>
        <p class="hint" id="q-hint">
          {hint}
        </p>
      </form>
      {children}
    </BesideReview>
  );
}

function Results({
  view,
  what,
  children,
}: {
  readonly view: FindView;
  readonly what: string;
  readonly children: ComponentChildren;
}): VNode {
  return (
    <form method="post" action={`${view.review}/find/${what}`} id="found">
      <Hidden view={view} />
      <ul class="found">{children}</ul>
    </form>
  );
}

interface ResultProps {
  readonly value: string;
  readonly name: string;
  readonly detail: string;
  readonly note: string | undefined;
}

function Result({ value, name, detail, note }: ResultProps): VNode {
  return (
    <li>
      <span>
        <strong>{name}</strong> {detail}
        {note !== undefined && <span class="reason">{note}</span>}
      </span>
      <button type="submit" name="use" value={value} class="secondary outline">
        {search.use}
        <span class="hidden"> {name}</span>
      </button>
    </li>
  );
}
