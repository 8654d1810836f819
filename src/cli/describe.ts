import { Argument } from 'commander';
import { mappingNames } from '../../mappings/names.ts';
import { questionRows } from '../../mappings/question-rows.ts';
import { questionsText } from '../core/answers/cells-for.ts';
import type { MappingKind } from '../core/contract/kinds.ts';
import { mappingIn } from '../core/contract/mappings-by-kind.ts';
import {
  describeMapping,
  describeOverlays,
  formatDescription,
  formatOverlay,
} from '../core/mapping/review/describe-mapping.ts';
import type { Mapping } from '../core/mapping/words/define.ts';
import { formatAdditions, roleAdditions } from '../core/overlay/describe-roles.ts';
import { addedRows, formatRows } from '../core/overlay/describe-tables.ts';
import type { RoleTable } from '../core/roles/define.ts';
import { describeRoles } from '../core/roles/describe.ts';
import { formatRoles } from '../core/roles/describe-text.ts';
import { rolesFor } from '../core/roles/roles-for.ts';
import type { AddCommand, Io } from './io.ts';
import { addSiteOptions, type SiteOptions } from './mapping-options.ts';
import { mappingsOf, namedMapping, type SiteMappings } from './mappings.ts';
import { readable } from './readable.ts';

interface DescribeOptions extends SiteOptions {
  readonly changes?: true;
  readonly roles?: true;
  readonly json?: true;
}

const help = `
Examples
  prior-auth-bridge describe prior-auth > prior-auth.md
  prior-auth-bridge describe prior-auth --roles               only which resource or part fills each role
  prior-auth-bridge describe prior-auth@valley --changes      only what an overlay changes
  prior-auth-bridge describe --site lakeside --changes        only what the overlay of a site changes`;

export const addDescribe: AddCommand = (program, io) => {
  addSiteOptions(
    program
      .command('describe')
      .description(
        'Print a mapping for reviewers, in Markdown: where each field of the request is read from, ' +
          'what fills each role, and what is asked.',
      )
      .addArgument(
        new Argument('[mapping]', 'the mapping, or its kind at the site').choices(mappingNames).default('prior-auth'),
      ),
    'the mapping as this site of the sites file uses it',
  )
    .option('--changes', 'only what overlays change: rules, roles, rows of tables')
    .option('--roles', 'only the roles: what fills each, what is refused, preferred and asked, and the named functions')
    .option('--json', 'print it as JSON')
    .addHelpText('after', help)
    .action((named: string, options: DescribeOptions) => describe(named, options, io));
};

function describe(named: string, options: DescribeOptions, io: Io): void {
  const chosen = mappingsOf(options, io);
  const { registry } = chosen;
  const { name, kind } = namedMapping(chosen, named);
  const text = textOf(mappingIn(registry, kind, name), chosen, options);
  io.stdout.write(`${text}\n${questionsOf(kind, options)}`);
}

// The answers mapping does not contain `questionRows`, which match payers' questions to cells of the answers sheet.
function questionsOf(kind: MappingKind, { changes, roles, json }: DescribeOptions): string {
  const isWhole = changes === undefined && roles === undefined && json === undefined;
  return kind === 'answers' && isWhole ? `\n${questionsText(questionRows)}` : '';
}

function textOf<T>(
  mapping: Mapping<T> | undefined,
  { registry }: SiteMappings,
  { changes, roles: onlyRoles, json }: DescribeOptions,
): string {
  if (mapping === undefined) return '';
  if (!changes) return wholeText(mapping, rolesFor(registry, mapping.name), { roles: onlyRoles, json });
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

function wholeText<T>(
  mapping: Mapping<T>,
  table: RoleTable,
  { roles: onlyRoles, json }: { readonly roles: true | undefined; readonly json: true | undefined },
): string {
  const roles = describeRoles(table, [mapping]);
  if (onlyRoles) return json ? JSON.stringify(roles, undefined, 2) : readable(formatRoles(roles));
  const rows = describeMapping(mapping);
  if (json) return JSON.stringify({ mapping: mapping.name, rows, ...roles }, undefined, 2);
  return readable(`${formatDescription(mapping.name, rows)}\n${formatRoles(roles)}`);
}
