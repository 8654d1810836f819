import type { VNode } from 'preact';
import { Icon } from '../../ui/icon.tsx';
import type { WorklistView } from './view.ts';
import { worklistWords as words } from './words.ts';
import { ListFilter, nameLength, queryText } from './worklist-asked.ts';

/** The views that this person saved, each as a link. The current view can be saved or removed. */
export function SavedViews({ view }: { readonly view: WorklistView }): VNode | null {
  const { views, home, search } = view;
  const here = queryText(view.asked, {});
  const lists = views.map((one) => ({ ...one, query: queryText(ListFilter.parse(one.filter), {}) }));
  const shown = search === '' ? lists.find(({ query }) => query === here) : undefined;
  const isKept = shown !== undefined || search !== '' || here === startQuery;
  if (lists.length === 0 && isKept) return null;
  return (
    <div class="filters views">
      {lists.length > 0 && (
        <nav class="filters" aria-label={words.views}>
          <span class="quiet-text">{words.views}</span>
          {lists.map(({ id, name, query }) => (
            <a key={id} href={`${home}/worklist${query}`} aria-current={id === shown?.id ? 'true' : undefined}>
              {name}
            </a>
          ))}
        </nav>
      )}
      {shown !== undefined && <Remove view={view} id={shown.id} name={shown.name} />}
      {!isKept && <Save view={view} />}
    </div>
  );
}

/** The initial view, which needs no saved name. */
const startQuery = queryText(ListFilter.parse({}), {});

function Save({ view }: { readonly view: WorklistView }): VNode {
  return (
    <details class="menu">
      <summary>
        <Icon name="bookmark" /> {words.saveView}
      </summary>
      <form method="post" action={`${view.home}/worklist/views`} class="name-view">
        <Kept view={view} />
        <label for="view-name">{words.viewName}</label>
        <input
          id="view-name"
          name="name"
          required
          maxLength={nameLength}
          autocomplete="off"
          aria-describedby="view-hint"
        />
        <p id="view-hint" class="hint">
          {words.viewHint}
        </p>
        <button type="submit" class="quiet-button">
          {words.save}
        </button>
      </form>
    </details>
  );
}

interface RemoveProps {
  readonly view: WorklistView;
  readonly id: string;
  readonly name: string;
}

function Remove({ view, id, name }: RemoveProps): VNode {
  return (
    <form method="post" action={`${view.home}/worklist/views`}>
      <Kept view={view} />
      <button type="submit" name="remove" value={id} class="quiet-button">
        {words.removeView}
        <span class="hidden">: {name}</span>
      </button>
    </form>
  );
}

/** The filter of the current view as hidden fields, so that the same view is shown after the form is posted. */
function Kept({ view: { token, asked } }: { readonly view: WorklistView }): VNode {
  const fields = { token, ...Object.fromEntries(new URLSearchParams(queryText(asked, {}))) };
  return (
    <>
      {Object.entries(fields).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
    </>
  );
}
