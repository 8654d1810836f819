/**
 * The results of reading the documents of a chart before selection, by attachment key (see `attachmentsOf`). Plain
 * data: it can be stored as JSON.
 */
export interface Readings {
  /** Notes and reports. */
  readonly texts: Readonly<Record<string, TextReading>>;
  /** Insurance cards. */
  readonly images: Readonly<Record<string, ImageReading>>;
}

/** Plain text of a document; `shortened` when only its beginning was kept. */
export type TextReading = { readonly text: string; readonly shortened?: true; readonly note?: string } | Unreadable;

/** An image of a type that the service accepts. Without `data`, the chart's own bytes are sent unchanged. */
export type ImageReading =
  | { readonly contentType: ImageType; readonly data?: string; readonly note?: string }
  | Unreadable;

export type ImageType = 'image/png' | 'image/jpeg' | 'image/gif';

/** A reason in words: `it is damaged`. */
export interface Unreadable {
  readonly unreadable: string;
}

export const noReadings: Readings = { texts: {}, images: {} };
