import type { Chart } from '../../core/roles/chart.ts';
import type { BodyLine } from './body-tree.ts';
import { fieldsOf } from './body-tree.ts';
import type { ElementLine, Forest, ResourceTree } from './resource-trees.ts';

/** Links from a line of the request to its sources in the resources, and back. */
export interface PageLinks {
  /** Source lines of a value, by id of its field. */
  readonly sources: ReadonlyMap<string, readonly ElementLine[]>;
  /** Fields made from an element, by id of the element. */
  readonly uses: ReadonlyMap<string, readonly BodyLine[]>;
  /** Why a part was not read, by id of its topmost element. */
  readonly unread: ReadonlyMap<string, string>;
  /** The selection's notes on a resource, by reference. */
  readonly notes: ReadonlyMap<string, string>;
}

export interface Linked {
  readonly body: readonly BodyLine[];
  readonly forest: Forest;
  readonly chart: Pick<Chart, 'choices'>;
  /** The elements that the mapping read, from `recordReads`. */
  readonly touched: ReadonlySet<string>;
  /** The elements that were read to fill the roles, from `watchResources`. */
  readonly filling: ReadonlySet<string>;
  /** Reasons why elements are not read, by path without indexes. */
  readonly unread: Readonly<Record<string, string>>;
}

export function linkUp({ body, forest, chart, touched, filling, unread }: Linked): PageLinks {
  const sources = new Map<string, readonly ElementLine[]>();
  const uses = new Map<string, BodyLine[]>();
  for (const field of fieldsOf(body).values()) {
    const found = field.origin?.source === undefined ? [] : forest.find(field.origin.source);
    if (found.length > 0) sources.set(field.id, found);
    for (const { id } of found) uses.set(id, [...(uses.get(id) ?? []), field]);
  }
  const notes = notesOf(chart);
  const reasons = new Map<string, string>();
  for (const tree of forest.trees) markUnread(tree, { touched, filling, uses, unread, notes, reasons });
  return { sources, uses, unread: reasons, notes };
}

/** How many lines of an element gave a value. */
export function usesIn(element: ElementLine, uses: PageLinks['uses']): number {
  return (uses.has(element.id) ? 1 : 0) + element.children.reduce((sum, child) => sum + usesIn(child, uses), 0);
}

interface Marking extends Pick<Linked, 'touched' | 'filling' | 'unread'>, Pick<PageLinks, 'uses' | 'notes'> {
  readonly reasons: Map<string, string>;
}

// An element that was read as a whole counts as read down to its last leaf.
function markUnread({ root, reference, isOlder }: ResourceTree, marking: Marking): void {
  const { reasons, notes } = marking;
  if (isOlder) reasons.set(root.id, 'an older copy: not used');
  else if (isRead(root, marking)) markBelow(root, marking);
  else reasons.set(root.id, notes.get(reference) ?? (isFilling(root, marking) ? fills : 'not needed for this order'));
}

function markBelow(element: ElementLine, marking: Marking): void {
  if (marking.uses.has(element.id)) return;
  for (const child of element.children) {
    if (isRead(child, marking)) markBelow(child, marking);
    else marking.reasons.set(child.id, reasonOf(child, marking));
  }
}

function isRead(element: ElementLine, marking: Marking): boolean {
  return (
    marking.touched.has(element.place) ||
    marking.uses.has(element.id) ||
    element.children.some((child) => isRead(child, marking))
  );
}

const administrative = /^[A-Za-z]+\.(resourceType|id|meta|text|implicitRules|language)$/;

const fills = 'read to fill a role';

function isFilling(element: ElementLine, marking: Pick<Marking, 'filling'>): boolean {
  return marking.filling.has(element.place) || element.children.some((child) => isFilling(child, marking));
}

function reasonOf(element: ElementLine, marking: Marking): string {
  const [resource = '', indexed = ''] = [element.place.replace(/ [^ ]*$/, ''), element.place.replace(/^.* /, '')];
  const path = indexed.replaceAll(/\[\d+\]/g, '');
  if (administrative.test(path)) return '';
  // The candidates of roles are named as here: Patient/1#name[0].
  const note = marking.notes.get(`${resource}#${indexed.slice(indexed.indexOf('.') + 1)}`);
  if (note !== undefined) return note;
  if (isFilling(element, marking)) return fills;
  const known = Object.keys(marking.unread).find((key) => path === key || path.startsWith(`${key}.`));
  return known === undefined ? 'no rule reads it' : (marking.unread[known] ?? '');
}

function notesOf({ choices }: Pick<Chart, 'choices'>): Map<string, string> {
  const notes = new Map<string, string>();
  const add = (reference: string, note: string) =>
    notes.set(reference, [...new Set([notes.get(reference), note].filter((text) => text !== undefined))].join('; '));
  for (const { role, chosen, reason, candidates } of choices) {
    if (chosen !== undefined) add(chosen, `${role}: ${reason}`);
    for (const candidate of candidates)
      if (candidate.reference !== chosen)
        add(candidate.reference, `${role}: ${candidate.fits ? '' : 'does not fit, '}${candidate.reason}`);
  }
  return notes;
}
