import type { Coverage, DocumentReference } from 'fhir/r4.js';
import { attachmentsOf, carriesCard, type Held } from '../documents/attachments.ts';
import { isCard } from '../documents/kinds.ts';
import type { Located } from '../fhir/graph.ts';
import { newestFirst } from '../fhir/time/newest-first.ts';
import type { Node } from '../mapping/input.ts';
import type { Candidate } from '../roles/chart.ts';
import { type Decision, nodeAt, rootOf, type Scene } from '../roles/scene.ts';

const maxImages = 6;

/**
 * Images of the insurance card: those that the chosen coverage itself carries (CARIN digital insurance card), else those of the newest current
 * DocumentReference of LOINC 64290-0 or 52037-9 that is not another coverage's. Images as `readDocuments` made them.
 */
export function chooseCard(scene: Scene, coverage: string | undefined): Decision {
  const cards = [...ofCoverages(scene, coverage), ...ofDocuments(scene, coverage)];
  const chosen = cards.find(({ refusal, images }) => refusal === undefined && images.length > 0);
  const notes = new Set((chosen?.images ?? []).flatMap(({ note }) => note ?? []));
  const root = rootOf(
    (chosen?.images ?? []).slice(0, maxImages).map(({ node }) => node),
    notes.size === 0 ? {} : { note: [...notes].join('; ') },
  );
  if (cards.length === 0) return { roots: { card: root } };
  const reason = chosen === undefined ? 'the chart has no image of the card that can be sent' : chosen.why;
  return {
    roots: { card: root },
    choices: [
      {
        role: 'card',
        ...(chosen === undefined ? {} : { chosen: chosen.reference }),
        reason,
        candidates: cards.map((card) => candidateOf(card, chosen)),
      },
    ],
  };
}

interface Card {
  readonly reference: string;
  readonly label: string;
  readonly refusal: string | undefined;
  readonly images: readonly Image[];
  /** Why images of it cannot be sent. */
  readonly unreadable: readonly string[];
  /** Why it comes first. */
  readonly why: string;
}

interface Image {
  readonly node: Node;
  readonly note?: string;
}

function candidateOf(card: Card, chosen: Card | undefined): Candidate {
  const fits = card.refusal === undefined && card.images.length > 0;
  const lost = card.unreadable.join('; ');
  const reason =
    card.refusal ??
    (card.images.length === 0 ? lost || 'it holds no image' : card === chosen ? card.why : 'another card comes first');
  return {
    reference: card.reference,
    label: card.label,
    fits,
    reason: fits && lost !== '' ? `${reason}; one image is left out: ${lost}` : reason,
  };
}

function ofCoverages(scene: Scene, coverage: string | undefined): Card[] {
  return scene
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
        ...imagesOf(scene, located),
        why: 'the card that the chosen coverage carries',
      };
    });
}

function ofDocuments(scene: Scene, coverage: string | undefined): Card[] {
  const compare = newestFirst(scene.today.timeZone);
  return scene
    .mine('DocumentReference')
    .filter(({ resource }) => isCard(resource))
    .toSorted((left, right) => compare(left.resource.date, right.resource.date))
    .map((document) => ({
      reference: document.reference,
      label: document.resource.description ?? 'Insurance card',
      refusal: refusalOf(scene, document, coverage),
      ...imagesOf(scene, document),
      why: 'the newest card',
    }));
}

function refusalOf(
  scene: Scene,
  { resource, reference }: Located<DocumentReference>,
  coverage: string | undefined,
): string | undefined {
  if (resource.status !== 'current') return `its status is ${resource.status}`;
  const related = (resource.context?.related ?? []).flatMap(
    (related) => scene.resolve(related, { resource, reference }, 'Coverage')?.reference ?? [],
  );
  return related.length > 0 && coverage !== undefined && !related.includes(coverage)
    ? 'it belongs to another coverage'
    : undefined;
}

function imagesOf(
  scene: Scene,
  card: Located<Coverage> | Located<DocumentReference>,
): Pick<Card, 'images' | 'unreadable'> {
  const images: Image[] = [];
  const unreadable = new Set<string>();
  for (const held of attachmentsOf(card, (reference, from) =>
    scene.resolve(reference, from, 'Binary', 'DocumentReference'),
  )) {
    const image = imageOf(scene, held);
    if (typeof image === 'string') unreadable.add(image);
    else images.push(image);
  }
  return { images, unreadable: [...unreadable] };
}

/** The image, or why there is none. */
function imageOf({ readings }: Scene, { key, holder, path, data }: Held): Image | string {
  if (data === undefined) return 'its image is not in the chart';
  const reading = readings.images[key];
  if (reading === undefined) return 'its image was not read';
  if ('unreadable' in reading) return reading.unreadable;
  const node = nodeAt(holder, { contentType: reading.contentType, data: reading.data ?? data }, path);
  return reading.note === undefined ? { node } : { node, note: reading.note };
}
