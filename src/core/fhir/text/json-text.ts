export type Parsed = { readonly value: unknown } | { readonly reason: string };

/**
 * Parses JSON. The reason gives the position of the mistake and never quotes the text, which may be about a patient.
 */
export function parseJsonText(text: string): Parsed {
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    return { reason: mistake(text, error instanceof Error ? error.message : '') };
  }
}

function mistake(text: string, message: string): string {
  if (text.trim() === '') return 'it is empty';
  const position = /at position (\d+)/.exec(message)?.[1];
  if (/end of JSON input|Unterminated string/.test(message) || Number(position) >= text.trimEnd().length)
    return 'it ends too early: the JSON is cut off';
  const line = /\(line (\d+) column (\d+)\)/.exec(message);
  if (line !== null && text.includes('\n')) return `it is not valid JSON (line ${line[1]}, column ${line[2]})`;
  return position === undefined ? near(text, message) : `it is not valid JSON (character ${Number(position) + 1})`;
}

/**
 * For some mistakes, V8 quotes the surrounding text without a position; a quote that occurs only once gives the line.
 */
function near(text: string, message: string): string {
  const quote = /, (?:\.\.\.)?"(.+?)"(?:\.\.\.)? is not valid JSON$/s.exec(message)?.[1];
  const start = quote === undefined ? -1 : text.indexOf(quote);
  if (quote === undefined || start === -1 || text.indexOf(quote, start + 1) !== -1) return 'it is not valid JSON';
  return `it is not valid JSON (near line ${text.slice(0, start + quote.length / 2).split('\n').length})`;
}
