import { pgliteBackend } from '../store/backends.ts';
import { describeCases } from './behaviour.ts';

describeCases('cases on the embedded store', pgliteBackend);
