import type { VNode } from 'preact';
import { cardImagesIn, type Leaves } from '../request/leaves.ts';

/** The images of the insurance card that are, or were, sent with the request. */
export function CardImages({
  values,
  isSent = false,
  addresses,
}: {
  readonly values: Leaves;
  readonly isSent?: boolean;
  /** URLs of the images; the page embeds an image that has none. */
  readonly addresses?: readonly (string | undefined)[];
}): VNode | null {
  const images = cardImagesIn(values);
  if (images.length === 0) return null;
  const [what, goes] = images.length === 1 ? ['This image', 'goes'] : ['These images', 'go'];
  return (
    <div class="cards">
      <p class="hint">
        {what} of the insurance card {isSent ? 'went' : goes} with the request.
      </p>
      {images.map((content, index) => {
        const type = imageType(content);
        return type === undefined ? (
          <p key={type}>File {index + 1}: no preview for this kind of file.</p>
        ) : (
          <img
            key={content.slice(0, 40)}
            src={addresses?.[index] ?? `data:${type};base64,${content}`}
            alt={`Insurance card, side ${index + 1}`}
          />
        );
      })}
    </div>
  );
}

/** The type of a picture in base64, by its first bytes; undefined for a type that browsers do not show. */
export function imageType(content: string): string | undefined {
  const signatures = { iVBORw0KGgo: 'image/png', '/9j/': 'image/jpeg', R0lGOD: 'image/gif' };
  return Object.entries(signatures).find(([start]) => content.startsWith(start))?.[1];
}

export function CardThumbnails({ addresses }: { readonly addresses: readonly (string | undefined)[] }): VNode | null {
  const shown = addresses.filter((address) => address !== undefined);
  if (shown.length === 0) return null;
  return (
    <span class="thumbs">
      {shown.map((address, index) => (
        <img key={address} src={address} alt={`Insurance card, side ${index + 1}`} />
      ))}
    </span>
  );
}
