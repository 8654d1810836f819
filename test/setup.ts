import nock from 'nock';
import { afterEach, beforeEach } from 'vitest';
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

// As in every process of the bridge.
openTextCache();
