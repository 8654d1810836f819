import type { Coverage, DocumentReference } from 'fhir/r4.js';
import { attachmentsOf, carriesCard, type DocumentBytes } from '../../fhir/documents/attachments.ts';
import { isCard } from '../../fhir/documents/kinds.ts';
import type { Located } from '../../fhir/references/graph.ts';
import type { Node, Root } from '../../mapping/input.ts';
import type { Candidate, Choice } from '../chart.ts';
import type { Facts } from '../facts.ts';
import type { Filled } from '../filled.ts';
import { nodeAt } from '../node.ts';

const maxImages = 6;

/**
 * The images of the insurance card, as `readDocuments` returned them. They are in the chosen coverage (CARIN digital
 * insurance card), or else in the newest current DocumentReference with LOINC 64290-0 or 52037-9 that does not belong
 * to another coverage.
 */
export function chooseCard(facts: Facts): Filled {
  const coverage = facts.root('coverage').nodes[0]?.source?.resource;
  const cards = [...ofCoverages(facts, coverage), ...ofDocuments(facts, coverage)];
  if (cards.length === 0) return { root: { nodes: [] } };
  const chosen = cards.find(({ refusal, images }) => refusal === undefined && images.length > 0);
  const images = (chosen?.images ?? []).slice(0, maxImages);
  const notes = new Set((chosen?.images ?? []).flatMap(({ note }) => note ?? []));
  const nodes = images.map(({ node }) => node);
  const root: Root = notes.size === 0 ? { nodes } : { nodes, note: [...notes].join('; ') };
  const reason = chosen === undefined ? 'the chart has no image of the card that can be sent' : chosen.why;
  return { root, choice: () => choiceOf(cards, chosen, reason) };
}

function choiceOf(cards: readonly Card[], chosen: Card | undefined, reason: string): Choice {
  const candidates = cards.map((card) => candidateOf(card, chosen));
  if (chosen === undefined) return { role: 'card', reason, candidates };
  return { role: 'card', chosen: chosen.reference, reason, candidates };
}

interface Card {
  readonly reference: string;
  readonly label: string;
  readonly refusal: string | undefined;
  readonly images: readonly Image[];
  /** Why images of the card cannot be sent. */
  readonly unreadable: readonly string[];
  /** Why the card comes first. */
  readonly why: string;
}

interface Image {
  readonly node: Node;
  readonly note?: string;
}

function candidateOf(card: Card, chosen: Card | undefined): Candidate {
  const fits = card.refusal === undefined && card.images.length > 0;
  const lost = card.unreadable.join('; ');
  const place = card === chosen ? card.why : 'another card comes first';
  const reason = card.refusal ?? (card.images.length === 0 ? lost || 'it holds no image' : place);
  return {
    reference: card.reference,
    label: card.label,
    fits,
    reason: fits && lost !== '' ? `${reason}; one image is left out: ${lost}` : reason,
  };
}

function ofCoverages(facts: Facts, coverage: string | undefined): Card[] {
  return facts
    .mine('Coverage')
    .filter(({ resource }) => carriesCard(resource))
    .map((located: Located<Coverage>) => {
      const refusal =
        located.reference === coverage
          ? undefined
          : coverage === undefined
            ? 'no coverage is chosen yet'
            : 'it belongs to another coverage';
      return {
        reference: located.reference,
        label: 'Card of the coverage',
        refusal,
        ...imagesOf(facts, located),
        why: 'the card that the chosen coverage carries',
      };
    });
}

function ofDocuments(facts: Facts, coverage: string | undefined): Card[] {
  return facts
    .mine('DocumentReference')
    .filter(({ resource }) => isCard(resource))
    .toSorted((left, right) => facts.newestFirst(left.resource.date, right.resource.date))
    .map((document) => ({
      reference: document.reference,
      label: document.resource.description ?? 'Insurance card',
      refusal: refusalOf(facts, document, coverage),
      ...imagesOf(facts, document),
      why: 'the newest card',
    }));
}

function refusalOf(
  facts: Facts,
  { resource, reference }: Located<DocumentReference>,
  coverage: string | undefined,
): string | undefined {
  if (resource.status !== 'current') return `it is ${resource.status}`;
  const related = (resource.context?.related ?? []).flatMap(
    (related) => facts.resolve(related, { resource, reference }, 'Coverage')?.reference ?? [],
  );
  return related.length > 0 && coverage !== undefined && !related.includes(coverage)
    ? 'it belongs to another coverage'
    : undefined;
}

function imagesOf(
  facts: Facts,
  card: Located<Coverage> | Located<DocumentReference>,
): Pick<Card, 'images' | 'unreadable'> {
  const images: Image[] = [];
  const unreadable = new Set<string>();
  for (const held of attachmentsOf(card, (reference, from) =>
    facts.resolve(reference, from, 'Binary', 'DocumentReference'),
  )) {
    const image = imageOf(facts, held);
    if (typeof image === 'string') unreadable.add(image);
    else images.push(image);
  }
  return { images, unreadable: [...unreadable] };
}

function imageOf({ request: { readings } }: Facts, { key, holder, path, data }: DocumentBytes): Image | string {
  const reading = readings.images[key];
  if (reading !== undefined && 'unreadable' in reading) return reading.unreadable;
  // a converted image is available without its original bytes
  const sent = reading?.data ?? data;
  if (sent === undefined) return 'its image is not in what was read';
  if (reading === undefined) return 'its image was not read';
  const node = nodeAt(holder, { contentType: reading.contentType, data: sent }, path);
  return reading.note === undefined ? { node } : { node, note: reading.note };
}
