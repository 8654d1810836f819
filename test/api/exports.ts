import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

export const root = join(import.meta.dirname, '../..');

/** The entries of the package, by the name under which another project imports them. */
export const entries = {
  'prior-auth-bridge': 'src/index.ts',
  'prior-auth-bridge/mappings': 'mappings/index.ts',
} as const;

/** A name that an entry exports. */
export interface Exported {
  readonly name: string;
  readonly isType: boolean;
  /** The file that declares it, from the root. */
  readonly file: string;
  /** The doc comment of its declaration. */
  readonly comment: string;
}

/** What an entry exports, each name with its declaration. Throws for an export that is not written out by name. */
export function exportsOf(entry: string): Exported[] {
  const source = readFileSync(join(root, entry), 'utf8');
  const lists = [...source.matchAll(/^export (type )?(\{[^}]*\}|\*) from '([^']+)';$/gm)];
  const listed = lists.flatMap(([, allTypes, names = '', from = '']) => {
    const file = relative(root, join(root, dirname(entry), from));
    return namesIn(names).map((name) =>
      exported(name.replace(/^type /, ''), file, Boolean(allTypes) || /^type /.test(name)),
    );
  });
  const own = [...source.matchAll(/^export (?:const|function|class) (\w+)/gm)];
  return [...listed, ...own.map(([, name = '']) => exported(name, entry, false))];
}

function namesIn(list: string): string[] {
  if (list === '*' || / as /.test(list)) throw new Error(`an entry exports by name: ${list}`);
  return list
    .slice(1, -1)
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}

function exported(name: string, file: string, isType: boolean): Exported {
  const source = readFileSync(join(root, file), 'utf8');
  const declared = new RegExp(`^export (?:abstract )?(?:const|function|class|interface|type) ${name}\\b`, 'm').exec(
    source,
  );
  if (declared === null) throw new Error(`${file} does not declare ${name}`);
  const [, comment = ''] = /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\n$/.exec(source.slice(0, declared.index)) ?? [];
  return { name, isType, file, comment: comment.replace(/^ *\* ?/gm, '').trim() };
}

/** The code of each `@example` of a doc comment. */
export function examplesOf({ comment }: Exported): string[] {
  return comment
    .split(/^@example\b/m)
    .slice(1)
    .map((example) => example.replace(/^@\w+[\s\S]*/m, '').trim());
}
