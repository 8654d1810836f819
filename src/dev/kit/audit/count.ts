import type { MappingResult } from '../../../core/mapping/result.ts';
import { table } from '../../../core/mapping/review/markdown.ts';
import { type AuditFinding, type AuditRequest, auditResult, leafCount } from './audit.ts';

/** The result of auditing a set of drafts. */
export interface AuditCount {
  readonly drafts: number;
  readonly values: number;
  readonly findings: readonly OrderFinding[];
}

export interface OrderFinding extends AuditFinding {
  readonly file: string;
  readonly order: string;
}

export interface AuditCounter {
  add(result: MappingResult<unknown>, request: AuditRequest, file: string): void;
  total(): AuditCount;
}

export function countAudit(): AuditCounter {
  const findings: OrderFinding[] = [];
  let drafts = 0;
  let values = 0;
  return {
    add(result, request, file) {
      drafts += 1;
      values += leafCount(result);
      findings.push(...auditResult(result, request).map((one) => ({ ...one, file, order: request.order })));
    },
    total: () => ({ drafts, values, findings }),
  };
}

/**
 * Markdown: the number of checked values, then each value that does not follow from its element. It lists places, never
 * values.
 */
export function formatAudit({ drafts, values, findings }: AuditCount): string {
  const head =
    `Audit: ${values} values of ${drafts} drafts were read again at the elements they cite; ${findings.length} ` +
    'cannot be derived from them.\n';
  if (findings.length === 0) return head;
  const rows = findings.map(({ file, order, target, cited, reason }) => [file, order, `\`${target}\``, cited, reason]);
  return `${head}\n${table(['file', 'order', 'field', 'cited element', 'why'], rows).join('\n')}\n`;
}
