import type { VNode } from 'preact';

/** Longer words may be too wide for a column. */
const longest = 16;

/** Text in which long words, such as e-mail addresses, may break: after `@`, else after `. _ /`, else anywhere. */
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
