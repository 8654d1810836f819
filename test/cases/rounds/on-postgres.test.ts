import { test } from 'vitest';
import { postgres, postgresBackend } from '../../store/backends.ts';
import { describeRounds } from './on-store.ts';

if ('missing' in postgres) test.skip(`rounds on PostgreSQL: ${postgres.missing}`, () => {});
else describeRounds(`rounds on ${postgres.title}`, postgresBackend);
