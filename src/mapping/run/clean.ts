/** A text as it may be sent: without blanks at its ends. The one place that every text of a body goes through. */
export function cleanText(text: string): string {
  return text.trim();
}

/** A value as it may be sent, with every text in it cleaned; what is clean already is returned as it is. */
export function cleanValue(value: unknown): unknown {
  return typeof value === 'string' ? cleanText(value) : value;
}
