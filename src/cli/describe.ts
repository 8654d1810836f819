import { Argument } from 'commander';
import { describeMapping, describeOverlays, formatDescription, formatOverlay } from '../mapping/review/describe.ts';
import type { Mapping } from '../mapping/words/define.ts';
import { formatAdditions, roleAdditions } from '../overlay/describe-roles.ts';
import { addedRows, formatRows } from '../overlay/describe-tables.ts';
import { rolesFor } from '../roles/roles-for.ts';
import type { AddCommand, Io } from './io.ts';
import {
  addSiteOptions,
  mappingNames,
  mappingsOf,
  namedMapping,
  type SiteMappings,
  type SiteOptions,
} from './mappings.ts';

interface DescribeOptions extends SiteOptions {
  readonly changes?: true;
  readonly json?: true;
}

const help = `
Examples
  prior-auth-bridge describe prior-auth > prior-auth.md
  prior-auth-bridge describe prior-auth@valley --changes      only what an overlay changes
  prior-auth-bridge describe --site lakeside --changes        only what the overlay of a site of the sites file changes`;

export const addDescribe: AddCommand = (program, io) => {
  addSiteOptions(
    program
      .command('describe')
      .description(
        'Print a mapping as a table for reviewers, in Markdown: each field of the request and where it is read from.',
      )
      .addArgument(
        new Argument('[mapping]', 'the mapping, or its kind at the site').choices(mappingNames()).default('prior-auth'),
      ),
    'the mapping as this site of the sites file uses it',
  )
    .option('--changes', 'only what overlays change: rules, roles, rows of tables')
    .option('--json', 'print it as JSON')
    .addHelpText('after', help)
    .action((named: string, options: DescribeOptions) => describe(named, options, io));
};

function describe(named: string, options: DescribeOptions, io: Io): void {
  const chosen = mappingsOf(options, io);
  const { registry } = chosen;
  const { name, kind } = namedMapping(chosen, named);
  const text =
    kind === 'prior-auth'
      ? textOf(registry['prior-auth'][name], chosen, options)
      : textOf(registry.enrollment[name], chosen, options);
  io.stdout.write(`${text}\n`);
}

function textOf<T>(
  mapping: Mapping<T> | undefined,
  { registry }: SiteMappings,
  { changes, json }: DescribeOptions,
): string {
  if (mapping === undefined) return '';
  const rows = describeMapping(mapping);
  if (!changes) return json ? JSON.stringify(rows, undefined, 2) : formatDescription(mapping.name, rows);
  const [layers, roles] = [describeOverlays(mapping), rolesFor(registry, mapping.name)];
  const additions = roleAdditions(registry.roles, roles);
  const added = addedRows(mapping.layers[0]?.after ?? mapping.tree, mapping.tree);
  if (json) return JSON.stringify({ layers, roles: additions, rows: added }, undefined, 2);
  const parts = [
    ...layers.filter((layer) => layer.changes.length > 0).map((layer) => formatOverlay(layer.name, layer.changes)),
    ...(additions.length === 0 ? [] : [formatAdditions(roles.name, additions)]),
    ...(added.length === 0 ? [] : [formatRows(mapping.name, added)]),
  ];
  return parts.length === 0 ? `${mapping.name} has no overlay that changes something.` : parts.join('\n');
}
