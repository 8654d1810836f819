import { pgliteBackend } from './backends.ts';
import { describeStore } from './behaviour.ts';

describeStore('the store on the embedded database', pgliteBackend);
