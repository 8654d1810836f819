import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import type { Deps } from '../../src/web/http/deps.ts';
import { launchId, openScene, type Scene, session } from '../web/support.ts';

/** The pages over one story's chart on a port of their own, for a browser that has launched them. */
export interface BrowserScene extends Scene {
  /** `http://localhost:<port>` */
  readonly url: string;
  page(browser: Browser, options?: BrowserContextOptions): Promise<Page>;
}

export async function openBrowserScene(
  story: string,
  change: (deps: Deps) => Deps = (deps) => deps,
): Promise<BrowserScene> {
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const scene = await openScene(story, (deps) => change({ ...deps, config: { ...deps.config, url } }));
  await scene.app.listen({ host: 'localhost', port });
  return Object.assign(scene, {
    url,
    page: async (browser: Browser, options: BrowserContextOptions = {}) => {
      const context = await browser.newContext(options);
      await context.addCookies([
        { name: `__Host-bridge-${launchId}`, value: session, url: `https://localhost:${port}`, secure: true },
      ]);
      return context.newPage();
    },
  });
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise<unknown>((resolve) => server.close(resolve));
  return port;
}
