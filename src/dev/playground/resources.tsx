import type { VNode } from 'preact';
import { plural } from '../../web/request/field-words.ts';
import { type PageLinks, usesIn } from './links.ts';
import type { ElementLine, Forest, ResourceTree } from './resource-trees.ts';

const noLinks: PageLinks = { sources: new Map(), uses: new Map(), unread: new Map(), notes: new Map() };

/**
 * The bundle's resources as trees. Resources that were read come before the others. Each marked element links to the
 * fields made from it.
 */
export function ResourcePane({
  forest,
  links = noLinks,
}: {
  readonly forest: Forest;
  readonly links?: PageLinks | undefined;
}): VNode {
  const counted = forest.trees.map((tree) => ({ tree, uses: usesIn(tree.root, links.uses) }));
  const sorted = [...counted.filter(({ uses }) => uses > 0), ...counted.filter(({ uses }) => uses === 0)];
  const isCut = forest.trees.some((tree) => tree.isCut);
  return (
    <section class="pane resources" aria-labelledby="resources-title">
      <h2 id="resources-title">{plural(forest.trees.length, 'resource', 'resources')}</h2>
      {links.unread.size > 0 && (
        <label class="dim">
          <input type="checkbox" id="show-unread" autocomplete="off" /> Show what was not read
        </label>
      )}
      {isCut && <p class="hint">The bundle is large: of the last resources only the names are shown.</p>}
      {sorted.map(({ tree, uses }) => (
        <ResourceItem key={tree.root.id} tree={tree} uses={uses} links={links} />
      ))}
    </section>
  );
}

function ResourceItem({
  tree,
  uses,
  links,
}: {
  readonly tree: ResourceTree;
  readonly uses: number;
  readonly links: PageLinks;
}): VNode {
  const { root, reference, isOlder } = tree;
  const unread = links.unread.get(root.id);
  const note = isOlder ? undefined : links.notes.get(reference);
  return (
    <details
      class={unread === undefined ? 'resource-item' : 'resource-item unread'}
      id={root.id}
      data-place={root.place}
      open={uses > 0}
    >
      <summary>
        <span class="reference">{reference}</span>{' '}
        <span class="count">{uses === 0 ? 'nothing read' : plural(uses, 'element read', 'elements read')}</span>
      </summary>
      {note !== undefined && <p class="hint">{note}</p>}
      {unread !== undefined && unread !== note && <p class="hint">{unread}</p>}
      <Uses element={root} links={links} />
      <Elements elements={root.children} links={links} />
    </details>
  );
}

function Elements({
  elements,
  links,
}: {
  readonly elements: readonly ElementLine[];
  readonly links: PageLinks;
}): VNode {
  return (
    <ul class="tree">
      {elements.map((element) => (
        <ElementRow key={element.id} element={element} links={links} />
      ))}
    </ul>
  );
}

function ElementRow({ element, links }: { readonly element: ElementLine; readonly links: PageLinks }): VNode {
  const { id, label, place, text, children } = element;
  const reason = links.unread.get(id);
  const classes = ['element', links.uses.has(id) ? 'used' : '', reason === undefined ? '' : 'unread']
    .filter(Boolean)
    .join(' ');
  return (
    <li id={id} class={classes} data-place={place}>
      <div class="row">
        <span class="key">{label}</span>
        {text !== undefined && <span class="value">{text}</span>}
        <Uses element={element} links={links} />
        {reason !== undefined && reason !== '' && <span class="why-unread">{reason}</span>}
      </div>
      {children.length > 0 && <Elements elements={children} links={links} />}
    </li>
  );
}

function Uses({ element, links }: { readonly element: ElementLine; readonly links: PageLinks }): VNode {
  return (
    <>
      {(links.uses.get(element.id) ?? []).map((field) => (
        <a key={field.id} class="use" href={`#${field.id}`}>
          {field.target}
        </a>
      ))}
    </>
  );
}
