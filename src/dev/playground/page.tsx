import type { VNode } from 'preact';
import { plural } from '../../web/request/field-words.ts';
import { Page } from '../../web/ui/page.tsx';
import type { Mapped, PlaygroundAnswer } from './answer.ts';
import { AskForm, type MappingNames } from './ask.tsx';
import { BodyTree } from './body-panel.tsx';
import { GapPane } from './gaps.tsx';
import { ResourcePane } from './resources.tsx';
import { RolePane } from './roles.tsx';

export interface PlaygroundView {
  readonly answer: PlaygroundAnswer;
  readonly mappings: MappingNames;
  readonly token: string;
}

/** Shows a bundle, the request that a mapping makes from it, and the links between them. */
export function PlaygroundPage({ view }: { readonly view: PlaygroundView }): VNode {
  const { answer } = view;
  const { mapped, problem, issues } = answer;
  return (
    <Page title="Mapping playground" site="Mapping playground" assets={['playground.css', 'playground.js']}>
      <div class="playground">
        <h1>Mapping playground</h1>
        <AskForm {...view} />
        {problem !== undefined && (
          <p class="notice bad" role="alert">
            {problem}
          </p>
        )}
        {issues.length > 0 && (
          <div class="notice">
            <h2>{plural(issues.length, 'part of the bundle was', 'parts of the bundle were')} not read</h2>
            <ul>
              {issues.slice(0, 20).map(({ path, message }) => (
                <li key={path}>
                  <code>{path === '' ? 'the whole' : path}</code>: {message}
                </li>
              ))}
            </ul>
          </div>
        )}
        {mapped !== undefined && <Warnings mapped={mapped} />}
        {answer.forest.trees.length > 0 && <Panes answer={answer} />}
      </div>
    </Page>
  );
}

function Warnings({ mapped }: { readonly mapped: Mapped }): VNode | null {
  const { warnings } = mapped.chart;
  if (warnings.length === 0) return null;
  return (
    <ul class="notice">
      {warnings.map((warning) => (
        <li key={warning}>{warning}</li>
      ))}
    </ul>
  );
}

function Panes({ answer }: { readonly answer: PlaygroundAnswer }): VNode {
  const { mapped, forest, orders } = answer;
  return (
    <>
      <p class="lit-line" id="lit" role="status">
        {mapped === undefined
          ? ''
          : 'Choose a field of the request to see where it came from, or a marked element to see what was made of it.'}
      </p>
      <div class="panes">
        {mapped === undefined ? (
          <section class="pane" aria-labelledby="none-title">
            <h2 id="none-title">No request</h2>
            <p>
              {orders.length === 0
                ? 'There is no medication order in this bundle.'
                : 'None of the medication orders can get a request; the list above says why for each.'}
            </p>
          </section>
        ) : (
          <>
            <GapPane mapped={mapped} />
            <section class="pane body" aria-labelledby="body-title">
              <h2 id="body-title">
                {mapped.explanation.status === 'complete' ? 'Request body' : 'Draft of the request'}
              </h2>
              <BodyTree fields={mapped.body} links={mapped.links} />
            </section>
          </>
        )}
        <ResourcePane forest={forest} links={mapped?.links} />
      </div>
      {mapped !== undefined && <RolePane roles={mapped.roles} forest={forest} />}
    </>
  );
}
