import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Pulls } from '../../http/chart-reading.ts';
import type { Deps } from '../../http/deps.ts';
import { createWaits } from '../../http/waits.ts';
import { html } from '../../ui/page.tsx';
import { beginOf } from '../launch/begin.ts';
import { sendPage, type Visit } from '../launch/route.ts';
import { ReadingPage } from './page.tsx';

/** The waiting page was sent instead of the requested page. */
export interface SentPage {
  readonly sent: FastifyReply;
}

/**
 * Work that pages wait for while an EHR is slow. Each method returns its result, or sends a waiting page that reloads
 * by itself.
 */
export interface ReadingWaits {
  /** Where the launch begins, as `beginOf` returns it. */
  begin(asked: PageRequest): Promise<{ readonly value: string } | SentPage>;
  /**
   * Reads the chart with everything that one order needs. Returns undefined once it is read; throws the errors of
   * reading.
   */
  chart(asked: PageRequest, order?: string): Promise<SentPage | undefined>;
}

export interface PageRequest {
  readonly opened: Visit;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

export function createReading(deps: Deps, pulls: Pulls): ReadingWaits {
  const waits = createWaits(deps.patience);

  const page = async ({ launch, home, token }: Visit, { url }: FastifyRequest): Promise<string> => {
    const [one] = await deps.cases.forPatient(launch.site.id, `Patient/${launch.patient}`);
    return html(ReadingPage({ launch, home, token, here: url, banner: one?.banner }));
  };

  const during = async <T>(
    asked: PageRequest,
    name: string,
    work: () => Promise<T>,
  ): Promise<{ value: T } | SentPage> => {
    const { opened, request, reply } = asked;
    const key = `${opened.launch.id}|${name}`;
    if (!isLook(asked))
      return (await waits.result(key, work)) ?? { sent: sendPage(reply, await page(opened, request)) };
    try {
      return (await waits.result(key, work, { isLook: true })) ?? { sent: reply.code(202).send() };
    } catch {
      // The page itself is requested next and reports the failure.
      return { sent: reply.code(204).send() };
    }
  };

  return {
    begin: (asked) => during(asked, 'begin', () => beginOf(deps, asked.opened.launch)),
    async chart(asked, order) {
      const { launch } = asked.opened;
      const options = order === undefined ? {} : { order };
      // The result is dropped: the cache of readings has the chart, sealed.
      const done = pulls.has(launch, options)
        ? undefined
        : await during(asked, `chart|${order ?? ''}`, async () => void (await pulls.of(launch, options)));
      if (done !== undefined && 'sent' in done) return done;
      return isLook(asked) ? { sent: asked.reply.code(204).send() } : undefined;
    },
  };
}

/** true if the request comes from the script of a waiting page. */
function isLook({ request }: PageRequest): boolean {
  return request.headers['x-reading'] !== undefined;
}
