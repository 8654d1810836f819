import { test } from 'vitest';
import { pgliteBackend, postgres, postgresBackend } from '../store/backends.ts';
import { describeSignatures } from './signature-on-store.ts';

describeSignatures('signatures on the embedded store', pgliteBackend);
if ('missing' in postgres) test.skip(`signatures on PostgreSQL: ${postgres.missing}`, () => {});
else describeSignatures(`signatures on ${postgres.title}`, postgresBackend);
