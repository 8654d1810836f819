import type {
  Attachment,
  Binary,
  Coverage,
  DiagnosticReport,
  DocumentReference,
  Extension,
  FhirResource,
  Reference,
  Resource,
} from 'fhir/r4.js';
import type { Located } from '../references/graph.ts';

/** The bytes of a document and their place: the resource itself, or the Binary that it references. */
export interface DocumentBytes {
  /** Identifies the bytes within a chart: `DocumentReference/1 content[0].attachment`, `Binary/2`. */
  readonly key: string;
  readonly holder: Located;
  /** Absent when the holder is the Binary itself. */
  readonly path?: string;
  readonly contentType: string;
  /** Base64; absent when the chart holds only an address, or nothing. */
  readonly data?: string;
  /** The address of bytes that the chart does not hold. */
  readonly url?: string;
  readonly title?: string;
}

/** Resolves a reference in the same way as role selection. */
export type Resolve = (reference: Reference | undefined, from: Located<Resource>) => Located | undefined;

// CARIN Digital Insurance Card IG, Coverage
const supportingImage = 'http://hl7.org/fhir/us/insurance-card/StructureDefinition/C4DIC-SupportingImage-extension';

/**
 * Every attachment of a DocumentReference or DiagnosticReport, and the card images of a Coverage (CARIN digital
 * insurance card), in order.
 */
export function attachmentsOf(located: Located, resolve: Resolve): DocumentBytes[] {
  const { resource } = located;
  if (isType<DocumentReference>(resource, 'DocumentReference'))
    return (resource.content ?? []).map(({ attachment }, index) =>
      held(located, attachment, `content[${index}].attachment`, resolve),
    );
  if (isType<DiagnosticReport>(resource, 'DiagnosticReport'))
    return (resource.presentedForm ?? []).map((form, index) => held(located, form, `presentedForm[${index}]`, resolve));
  if (isType<Coverage>(resource, 'Coverage')) return cardImages({ ...located, resource }, resolve);
  return [];
}

export function carriesCard(coverage: Coverage): boolean {
  // the form of the resource may not have been checked yet
  const { extension } = coverage;
  return Array.isArray(extension) && extension.some((part) => part?.url === supportingImage);
}

/** The addresses of a Coverage's card images, when the Coverage only references the images. */
export function cardAddresses(coverage: Coverage): string[] {
  const images = (coverage.extension ?? [])
    .filter(({ url }) => url === supportingImage)
    .flatMap(({ extension }) => extension?.filter(({ url }) => url === 'image') ?? []);
  return images.flatMap(({ valueAttachment, valueReference }) =>
    hasBytes(valueAttachment?.data) ? [] : (valueAttachment?.url ?? valueReference?.reference ?? []),
  );
}

function cardImages(coverage: Located<Coverage>, resolve: Resolve): DocumentBytes[] {
  const located: Located = coverage;
  return (coverage.resource.extension ?? []).flatMap((extension, index) => {
    if (extension.url !== supportingImage) return [];
    const title = extension.extension?.find(({ url }) => url === 'label')?.valueString;
    return (extension.extension ?? [])
      .flatMap((part, inner) =>
        part.url === 'image' ? imageOf(located, part, `extension[${index}].extension[${inner}]`, resolve) : [],
      )
      .map((image) => (title === undefined ? image : { ...image, title }));
  });
}

function imageOf(coverage: Located, image: Extension, path: string, resolve: Resolve): DocumentBytes[] {
  if (image.valueAttachment !== undefined)
    return [held(coverage, image.valueAttachment, `${path}.valueAttachment`, resolve)];
  const target = resolve(image.valueReference, coverage);
  if (target === undefined) return [];
  return isType<Binary>(target.resource, 'Binary')
    ? [ofBinary({ ...target, resource: target.resource })]
    : attachmentsOf(target, resolve);
}

function held(holder: Located, attachment: Attachment | undefined, path: string, resolve: Resolve): DocumentBytes {
  const title = attachment?.title === undefined ? {} : { title: attachment.title };
  const inline = {
    key: `${holder.reference} ${path}`,
    holder,
    path,
    contentType: attachment?.contentType ?? '',
    ...title,
  };
  if (hasBytes(attachment?.data)) return { ...inline, data: attachment.data };
  const target = attachment?.url === undefined ? undefined : resolve({ reference: attachment.url }, holder);
  if (target === undefined || !isType<Binary>(target.resource, 'Binary'))
    return attachment?.url === undefined ? inline : { ...inline, url: attachment.url };
  const binary = ofBinary({ ...target, resource: target.resource });
  return { ...binary, ...title, contentType: binary.contentType === '' ? inline.contentType : binary.contentType };
}

function ofBinary(binary: Located<Binary>): DocumentBytes {
  const { contentType, data } = binary.resource;
  return { key: binary.reference, holder: binary, contentType: contentType ?? '', ...(hasBytes(data) ? { data } : {}) };
}

function hasBytes(data: string | undefined): data is string {
  return typeof data === 'string' && data.trim() !== '';
}

function isType<T extends FhirResource>(resource: FhirResource, type: T['resourceType']): resource is T {
  return resource.resourceType === type;
}
