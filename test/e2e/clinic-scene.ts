import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { queues } from '../../src/cases/work/queues.ts';
import { worklistRules } from '../../src/cases/worklist-entry.ts';
import { makeConfig, type Site } from '../../src/config/config.ts';
import type { Store } from '../../src/store/types.ts';
import type { Deps } from '../../src/web/http/deps.ts';
import { aClinic, type Clinic } from '../cases/clinic.ts';
import { type Backend, pgliteBackend } from '../store/backends.ts';
import { testConfig } from '../web/support.ts';
import { closePages, openBrowser, patience } from './browser.ts';
import { type BrowserScene, openBrowserScene } from './scene-browser.ts';

/** The pages over a chart and a clinic whose cases are in a store, each test with a site of its own. */
export interface ClinicScene {
  readonly scene: BrowserScene;
  readonly clinic: Clinic;
  open(viewport: { readonly width: number; readonly height: number }, path?: string): Promise<Page>;
}

/** Starts it before each test of the file that calls it. */
export function useClinicScene(own: Partial<Site> = {}, change: (deps: Deps) => Deps = (deps) => deps): ClinicScene {
  let backend: Backend;
  let store: Store;
  let browser: Browser;
  let scene: BrowserScene;
  let clinic: Clinic;
  let count = 0;
  beforeAll(async () => {
    backend = await pgliteBackend();
    store = await backend.open({ worklist: worklistRules, queues });
    browser = await openBrowser();
  }, patience);
  beforeEach(async () => {
    count += 1;
    const [base] = testConfig().sites;
    const site: Site = { ...base!, id: `valley-${count}`, ...own };
    clinic = aClinic(store, { sites: [site] });
    const env = { SERVICE_TOKEN: 'token', HOOK_NEW: 'new-secret', HOOK_OLD: 'old-secret' };
    const keys = Buffer.alloc(32, 7).toString('base64');
    scene = await openBrowserScene('story-complete', (deps) =>
      change({
        ...deps,
        config: {
          ...makeConfig({ BRIDGE_URL: deps.config.url, BRIDGE_KEYS: keys }, [site], env),
          url: deps.config.url,
        },
        cases: clinic.cases,
        worklist: store.worklist,
      }),
    );
    scene.smart.launch = { ...scene.smart.launch, site };
  }, patience);
  afterEach(async () => {
    await closePages();
    await scene.app.close();
  });
  afterAll(async () => {
    await store?.close();
    await backend?.close();
  });
  return {
    get scene() {
      return scene;
    },
    get clinic() {
      return clinic;
    },
    open: async (viewport, path) => {
      const page = await scene.page(browser, { viewport });
      page.setDefaultTimeout(patience);
      if (path !== undefined) await page.goto(`${scene.url}${path}`);
      return page;
    },
  };
}
