import { parentPort, workerData } from 'node:worker_threads';
import { workInThread } from '../../batch/workers.ts';
import { beginMap, type MapWork } from './map-work.ts';

const work = workerData as MapWork; // passed by startThreads
if (parentPort !== null) workInThread(parentPort, () => beginMap(work));
