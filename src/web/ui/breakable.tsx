import type { VNode } from 'preact';

/** Longer words may not fit a column. */
const longest = 16;

/** A text whose long words, such as e-mail addresses, may break after `@`, else after `. _ /`, else anywhere. */
export function Breakable({ text }: { readonly text: string }): VNode {
  const pieces = text
    .split(/(\S+)/)
    .flatMap((word) =>
      word.length <= longest
        ? [word]
        : word
            .split(word.includes('@') ? /(?<=@)/ : /(?<=[._/])(?=\w)/)
            .flatMap((piece, index) => (index === 0 ? [piece] : [<wbr key={index} />, piece])),
    );
  return <>{pieces}</>;
}
