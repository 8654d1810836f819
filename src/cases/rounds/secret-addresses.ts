import { type Range, rangeAt } from './secret-ranges.ts';

const unbroken = '[^\\s<>"\'“”|]';
/** A URL with a scheme or `www`, or a host name before a path or a query. A query may continue on the next line. */
const address = new RegExp(
  `(?:\\b(?:https?|s?ftp|mailto):/{0,2}|\\bwww\\.|(?<![\\w.@-])(?:[a-z0-9-]{1,63}\\.){1,6}[a-z]{2,24}(?::\\d+)?[/?#])` +
    `${unbroken}+(?:(?<=[=&%])\\s*\\n\\s*${unbroken}+)*`,
  'gi',
);

/** Finds user and password, the text after `?` and `#`, and parts of the path that look like a token. */
export function inAddresses(text: string): Range[] {
  return [...text.matchAll(address)].flatMap(({ 0: whole, index }) => {
    const query = /[?#]/.exec(whole);
    const path = whole.slice(0, query?.index ?? whole.length);
    const [scheme = '', user] = /^[a-z]+:\/\/(.+)@/i.exec(path) ?? [];
    return [
      ...(user === undefined ? [] : [rangeAt(index + scheme.indexOf('//') + 2, user)]),
      ...(query === null ? [] : [[index + query.index + 1, index + whole.length] as const]),
      ...[...path.matchAll(/(?<=[^/]\/)[\w~=.-]{8,}(?=\/|$)/g)]
        .filter(({ 0: part }) => isOpaque(part))
        .map(({ 0: part, index: place }) => rangeAt(index + place, part)),
    ];
  });
}

// A part that switches several times between letters and digits, or a long part with both, is not a word.
function isOpaque(part: string): boolean {
  if (part.includes('.')) return false;
  return part.split(/[-_~]/).some((word) => {
    const turns = word.match(/[a-z](?=\d)|\d(?=[a-z])/gi)?.length ?? 0;
    return turns > 1 || (word.length >= 12 && turns > 0);
  });
}
