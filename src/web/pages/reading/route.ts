import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Pulls } from '../../http/chart-reading.ts';
import type { Deps } from '../../http/deps.ts';
import { createWaits } from '../../http/waits.ts';
import { html } from '../../ui/page.tsx';
import { beginOf } from '../launch/begin.ts';
import { sendPage, type Visit } from '../launch/route.ts';
import { ReadingPage } from './page.tsx';

/** A page that was sent in place of the one that was asked for. */
export interface Sent {
  readonly sent: FastifyReply;
}

/**
 * What pages wait for while an EHR is slow: each method gives its result, or sends a page that says what is read and
 * comes back by itself.
 */
export interface Reading {
  /** Where the launch begins; see `beginOf`. */
  begin(asked: Asked): Promise<{ readonly value: string } | Sent>;
  /** The chart, with everything that one order needs; undefined once it is read. Throws what reading it throws. */
  chart(asked: Asked, order?: string): Promise<Sent | undefined>;
}

/** The request of a page. */
export interface Asked {
  readonly opened: Visit;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

export function createReading(deps: Deps, pulls: Pulls): Reading {
  const waits = createWaits(deps.patience);

  const page = async ({ launch, home, token }: Visit, { url }: FastifyRequest): Promise<string> => {
    const [one] = await deps.cases.forPatient(launch.site.id, `Patient/${launch.patient}`);
    return html(ReadingPage({ launch, home, token, here: url, banner: one?.banner }));
  };

  const during = async <T>(asked: Asked, name: string, work: () => Promise<T>): Promise<{ value: T } | Sent> => {
    const { opened, request, reply } = asked;
    const key = `${opened.launch.id}|${name}`;
    if (!isLook(asked))
      return (await waits.result(key, work)) ?? { sent: sendPage(reply, await page(opened, request)) };
    try {
      return (await waits.result(key, work, { isLook: true })) ?? { sent: reply.code(202).send() };
    } catch {
      // told by the page, which is asked for next
      return { sent: reply.code(204).send() };
    }
  };

  return {
    begin: (asked) => during(asked, 'begin', () => beginOf(deps, asked.opened.launch)),
    async chart(asked, order) {
      const { launch } = asked.opened;
      const options = order === undefined ? {} : { order };
      // Only that it was read is kept here: the chart itself lies sealed where readings are kept.
      const done = pulls.has(launch, options)
        ? undefined
        : await during(asked, `chart|${order ?? ''}`, async () => void (await pulls.of(launch, options)));
      if (done !== undefined && 'sent' in done) return done;
      return isLook(asked) ? { sent: asked.reply.code(204).send() } : undefined;
    },
  };
}

/** Whether the script of a page that waits looks, and not a person. */
function isLook({ request }: Asked): boolean {
  return request.headers['x-reading'] !== undefined;
}
