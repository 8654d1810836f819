import { test } from 'vitest';
import { postgres, postgresBackend } from './backends.ts';
import { describeStore } from './behaviour.ts';

if ('missing' in postgres) test.skip(`the store on PostgreSQL: ${postgres.missing}`, () => {});
else describeStore(`the store on ${postgres.title}`, postgresBackend);
