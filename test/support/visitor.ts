/** A browser without a screen: follows redirects, keeps cookies per host, and remembers where it is. */
export interface Visitor {
  readonly address: string;
  readonly status: number;
  readonly body: string;
  go(address: string): Promise<Visitor>;
  /** A cookie that it keeps of the host that it is at. */
  cookie(name: string): string | undefined;
  /** Sends the page's form that has `field`, with changes. */
  submit(field: string, changes: Readonly<Record<string, string>>): Promise<Visitor>;
  /** Presses the page's button with this action, in its form, with changes. */
  press(action: string, changes?: Readonly<Record<string, string>>): Promise<Visitor>;
}

export interface VisitorOptions {
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>>;
  /** How long it waits for an answer; as long as it takes when left out. */
  readonly timeoutMs?: number;
}

export function createVisitor(options: VisitorOptions = {}): Visitor {
  const jars = new Map<string, Map<string, string>>();
  const here = { address: '', status: 0, body: '' };

  async function request(address: string, init: RequestInit = {}): Promise<Visitor> {
    const url = new URL(address, here.address || undefined);
    const jar = jars.get(url.host) ?? new Map<string, string>();
    jars.set(url.host, jar);
    const headers = {
      accept: 'text/html',
      ...options.headers,
      // A connection that was kept may end while this process is busy: the next request on it would be reset.
      connection: 'close',
      cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; '),
      ...init.headers,
    };
    const limit = options.timeoutMs === undefined ? {} : { signal: AbortSignal.timeout(options.timeoutMs) };
    const reply = await fetch(url, { ...init, ...limit, headers, redirect: 'manual' });
    for (const cookie of reply.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      jar.set(name, value);
    }
    const location = reply.headers.get('location');
    here.address = url.href;
    if (location !== null && reply.status >= 300 && reply.status < 400) {
      await reply.body?.cancel();
      return request(new URL(location, url).href);
    }
    Object.assign(here, { status: reply.status, body: await reply.text() });
    const next = goesOnTo(here.body);
    return next === undefined ? visitor : request(new URL(next, url).href);
  }

  const visitor: Visitor = {
    get address() {
      return here.address;
    },
    get status() {
      return here.status;
    },
    get body() {
      return here.body;
    },
    go: (address) => request(address),
    cookie: (name) => jars.get(new URL(here.address).host)?.get(name),
    submit: (field, changes) => send(`name="${field}"`, changes),
    press: (action, changes = {}) => send(`name="action" value="${action}"`, { ...changes, action }),
  };

  function send(part: string, changes: Readonly<Record<string, string>>): Promise<Visitor> {
    const form = [...here.body.matchAll(/<form\b([^>]*)>([\s\S]*?)<\/form>/g)].find(([, , inner]) =>
      inner?.includes(part),
    );
    if (form === undefined) throw new Error(`the page has no form with ${part}: ${here.address}`);
    const action = /action="([^"]*)"/.exec(form[1] ?? '')?.[1] ?? here.address;
    const fields = [...(form[2] ?? '').matchAll(/<input\b[^>]*\bname="([^"]*)"[^>]*>/g)].flatMap(([tag, name = '']) => {
      const isBox = /type="(checkbox|radio)"/.test(tag);
      // No file is chosen.
      if (/type="file"/.test(tag)) return [];
      return isBox && !/\bchecked\b/.test(tag) ? [] : [[name, decoded(/value="([^"]*)"/.exec(tag)?.[1] ?? '')]];
    });
    const texts = [...(form[2] ?? '').matchAll(/<textarea\b[^>]*\bname="([^"]*)"[^>]*>([^<]*)</g)].map(
      ([, name = '', text = '']) => [name, decoded(text)],
    );
    const all = new URLSearchParams([...fields, ...texts]);
    for (const [name, value] of Object.entries(changes)) all.set(name, value);
    const headers = { 'sec-fetch-site': 'same-origin' };
    if (/enctype="multipart\/form-data"/.test(form[1] ?? '')) {
      const body = new FormData();
      for (const [name, value] of all) body.append(name, value);
      return request(action, { method: 'POST', body, headers });
    }
    return request(action, {
      method: 'POST',
      body: all.toString(),
      headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded' },
    });
  }
  return visitor;
}

/** Where a page that waits goes on by itself; undefined for any other page. */
export function goesOnTo(body: string): string | undefined {
  const [, next] = /<meta http-equiv="refresh" content="0; url=([^"]*)"/.exec(body) ?? [];
  return next === undefined ? undefined : decoded(next);
}

function decoded(text: string): string {
  return text.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&#39;', "'").replaceAll('&amp;', '&');
}
