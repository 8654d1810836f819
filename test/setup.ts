import nock from 'nock';
import { afterEach, beforeEach, inject } from 'vitest';
import { openTextCache } from '../src/core/text-cache.ts';

// Nothing in a test leaves this machine: the EHR and the service are nock interceptors or servers on the loopback.
beforeEach(() => {
  nock.disableNetConnect();
  nock.enableNetConnect((host) => /^(127\.0\.0\.1|localhost|\[::1\])(:|$)/.test(host));
});

afterEach(() => {
  nock.abortPendingRequests();
  nock.cleanAll();
});

// Temporary files of the tests and of what they start stand there, and go with the run.
process.env.TMPDIR = inject('shared');

// As in every process of the bridge.
openTextCache();
