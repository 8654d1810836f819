import type { DocumentReference } from 'fhir/r4.js';
import { newestFirst } from '../fhir/period.ts';
import type { Node } from '../mapping/input.ts';
import { type Decision, hasCode, type Located, nodeAt, rootOf, type Scene } from './scene.ts';

const cardCodes = ['64290-0', '52037-9'] as const;

/** Images of the insurance card: the newest current DocumentReference of LOINC 64290-0 or 52037-9 that is not another coverage's. */
export function chooseCard(scene: Scene, coverage: string | undefined): Decision {
  const documents = scene
    .mine('DocumentReference')
    .filter(({ resource }) => hasCode(resource.type, ...cardCodes) || resource.category?.some((category) => hasCode(category, ...cardCodes)))
    .map((document) => ({ document, refusal: refusalOf(scene, document, coverage), images: imagesOf(scene, document) }))
    .sort((left, right) => newestFirst(left.document.resource.date, right.document.resource.date));
  const chosen = documents.find(({ refusal, images }) => refusal === undefined && images.length > 0);
  const candidates = documents.map(({ document, refusal, images }) => ({
    reference: document.reference,
    label: document.resource.description ?? 'Insurance card',
    fits: refusal === undefined && images.length > 0,
    reason: refusal ?? (images.length === 0 ? 'it holds no readable image' : document === chosen?.document ? 'the newest card' : 'an older card'),
  }));
  const choice = {
    role: 'card',
    ...(chosen === undefined ? {} : { chosen: chosen.document.reference }),
    reason: chosen === undefined ? 'the chart has no image of the card' : 'the newest card',
    candidates,
  } as const;
  return { roots: { card: rootOf(chosen?.images ?? []) }, choices: documents.length === 0 ? [] : [choice] };
}

function refusalOf(scene: Scene, { resource, reference }: Located<DocumentReference>, coverage: string | undefined): string | undefined {
  if (resource.status !== 'current') return `its status is ${resource.status}`;
  const related = (resource.context?.related ?? []).flatMap((related) => scene.resolve(related, { resource, reference }, 'Coverage')?.reference ?? []);
  return related.length > 0 && coverage !== undefined && !related.includes(coverage) ? 'it belongs to another coverage' : undefined;
}

function imagesOf(scene: Scene, document: Located<DocumentReference>): Node[] {
  return (document.resource.content ?? []).flatMap(({ attachment }, index) => {
    if (!/^image\/(png|jpeg|jpg|gif|tiff|webp)$/i.test(attachment.contentType ?? '')) return [];
    if (hasBytes(attachment.data)) return [nodeAt(document, attachment, `content[${index}].attachment`)];
    const binary = scene.resolve(attachment.url === undefined ? undefined : { reference: attachment.url }, document, 'Binary');
    return binary === undefined || !hasBytes(binary.resource.data) ? [] : [nodeAt(binary, binary.resource)];
  });
}

function hasBytes(data: string | undefined): boolean {
  return data !== undefined && data.trim() !== '';
}
