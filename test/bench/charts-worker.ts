import { parentPort, workerData } from 'node:worker_threads';
import { benchCharts } from './charts.ts';

parentPort?.postMessage(benchCharts(Number(workerData)));
