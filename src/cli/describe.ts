import { Argument } from 'commander';
import { mappings } from '../../mappings/index.ts';
import { describeMapping, describeOverlays, formatDescription, formatOverlay } from '../mapping/review/describe.ts';
import type { Mapping } from '../mapping/words/define.ts';
import { describeRoles } from '../roles/describe.ts';
import { formatRoles } from '../roles/describe-text.ts';
import type { AddCommand } from './io.ts';
import { mappingNames } from './mappings.ts';

interface DescribeOptions {
  readonly changes?: true;
  readonly roles?: true;
  readonly json?: true;
}

const help = `
Examples
  prior-auth-bridge describe prior-auth > prior-auth.md
  prior-auth-bridge describe prior-auth --roles             only which resource or part fills each role
  prior-auth-bridge describe prior-auth@valley --changes    only what the site's overlay changes`;

export const addDescribe: AddCommand = (program, io) => {
  program
    .command('describe')
    .description(
      'Print a mapping as tables for reviewers, in Markdown: where each field of the request is read from, what fills each role, and what is asked.',
    )
    .addArgument(new Argument('<mapping>', 'the mapping or overlay').choices(mappingNames()))
    .option('--changes', 'only what overlays change')
    .option('--roles', 'only the roles: what fills each, what is refused, preferred and asked, and the named functions')
    .option('--json', 'print it as JSON')
    .addHelpText('after', help)
    .action((name: string, options: DescribeOptions) => {
      const { 'prior-auth': priorAuth, enrollment } = mappings;
      const mapping = priorAuth[name];
      const text = mapping === undefined ? describe(enrollment[name]!, options) : describe(mapping, options);
      io.stdout.write(`${text}\n`);
    });
};

function describe<T>(mapping: Mapping<T>, { changes, roles: onlyRoles, json }: DescribeOptions): string {
  if (changes) {
    const layers = describeOverlays(mapping);
    if (json) return JSON.stringify(layers, undefined, 2);
    return layers.length === 0
      ? `${mapping.name} has no overlay.`
      : layers.map((layer) => formatOverlay(layer.name, layer.changes)).join('\n');
  }
  const rows = describeMapping(mapping);
  const roles = describeRoles(mappings.roles, [mapping]);
  if (onlyRoles) return json ? JSON.stringify(roles, undefined, 2) : formatRoles(roles);
  if (json) return JSON.stringify({ mapping: mapping.name, rows, ...roles }, undefined, 2);
  return `${formatDescription(mapping.name, rows)}\n${formatRoles(roles)}`;
}
