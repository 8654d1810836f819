import type { VNode } from 'preact';
import type { Launch } from '../../ehr/smart/types.ts';
import { common } from './common-words.ts';

/**
 * The warning before a session ends. The page's script shows it before the end: after `data-idle-minutes` without use,
 * or at `data-ends-at`.
 */
export function SessionEnd({
  session: { endsAt, site },
  home,
  token,
  savesItself,
}: {
  readonly session: Pick<Launch, 'endsAt' | 'site'>;
  readonly home: string;
  readonly token: string;
  readonly savesItself: boolean;
}): VNode {
  const { title, why, last, saved, stay } = common.session;
  const kept = savesItself ? `${saved} ` : '';
  return (
    <div
      id="session-end"
      class="notice session-end"
      role="alertdialog"
      aria-labelledby="session-end-title"
      data-idle-minutes={site.session.idleMinutes}
      data-ends-at={endsAt}
      hidden
    >
      <h2 id="session-end-title">{title}</h2>
      <form method="post" action={`${home}/alive`} class="idle">
        <input type="hidden" name="token" value={token} />
        <p>{`${kept}${why}`}</p>
        <button type="submit">{stay}</button>
      </form>
      <p class="last" hidden>
        {`${kept}${last}`}
      </p>
    </div>
  );
}
