import { pgliteBackend } from '../../store/backends.ts';
import { describeRounds } from './on-store.ts';

describeRounds('rounds on the embedded database', pgliteBackend);
