import type { Layout } from '../../batch/report/mapped-part.ts';
import type { Only } from '../../batch/report/order-facts.ts';
import type { MappingFlags } from '../mapping-options.ts';

export interface MapFlags extends MappingFlags {
  readonly out?: string;
  readonly overwrite?: true;
  readonly resume?: true;
  readonly format: Layout['format'];
  readonly sources?: true;
  readonly fast?: true;
  readonly answers?: true;
  readonly workers?: number;
  readonly maxErrors?: number;
  readonly only?: readonly Only[];
  readonly changedSince?: string;
  readonly json?: true;
  readonly ndjson?: true;
  readonly stdin?: true;
  readonly stdout?: true;
  readonly report?: readonly string[];
  readonly files?: true;
}

/** Options that `map --stdin --stdout` accepts. */
export type FilterOption = keyof MappingFlags | 'answers' | 'maxErrors' | 'only';

export const defaultFolder = 'prior-auth-out';
