const excerptLength = 160;

/** The beginning of a text on one line, cut between words, for a person who decides whether to tick the note. */
export function excerptOf(text: string): string {
  const line = text
    .slice(0, excerptLength * 4)
    .replace(/\s+/g, ' ')
    .trim();
  if (line.length <= excerptLength && text.length <= excerptLength * 4) return line;
  return `${line.slice(0, excerptLength).replace(/\s+\S*$/, '')} …`;
}
