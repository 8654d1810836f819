import { test } from 'vitest';
import { postgres, postgresBackend } from '../store/backends.ts';
import { describeCases } from './behaviour.ts';

if ('missing' in postgres) test.skip(`cases on PostgreSQL: ${postgres.missing}`, () => {});
else describeCases(`cases on ${postgres.title}`, postgresBackend);
