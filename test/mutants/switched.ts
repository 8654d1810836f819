import type { Switched } from './asked.ts';
import { changed } from './mutant.ts';
import type { Body } from './mutations.ts';

/**
 * The source with every change in it, each made only while `globalThis.mutant` is its id: a function body becomes a
 * choice between its forms.
 *
 * @example
 * withSwitches('const f = (a) => a + 1;', [{ id: 4, start: 17, end: 18, text: '-', body: ... }])
 * // const f = (a) => (globalThis.mutant === 4 ? (a - 1) : (a + 1));
 */
export function withSwitches(source: string, all: readonly Omit<Switched, 'file'>[]): string {
  return within(source, { start: 0, end: source.length }, all);
}

type One = Omit<Switched, 'file'>;
type Span = Pick<Body, 'start' | 'end'>;

/** The text of a span, where the outermost function bodies with changes in them are choices. */
function within(source: string, span: Span, all: readonly One[]): string {
  const bodies = outermost(all.map(({ body }) => body));
  let text = '';
  let place = span.start;
  for (const body of bodies) {
    text += source.slice(place, body.start) + choice(source, body, all.filter(isIn(body)));
    place = body.end;
  }
  return text + source.slice(place, span.end);
}

function choice(source: string, body: Body, all: readonly One[]): string {
  const own = all.filter((one) => one.body.start === body.start && one.body.end === body.end);
  const deeper = all.filter((one) => !own.includes(one));
  // The braces of a block stay outside, so that nothing deeper is taken for the whole.
  const inner = body.isBlock ? { start: body.start + 1, end: body.end - 1 } : body;
  const usual = within(source, inner, deeper);
  const form = (one: One) => {
    const text = source.slice(inner.start, inner.end);
    return changed(text, { ...one, start: one.start - inner.start, end: one.end - inner.start });
  };
  const forms = own.map((one) => ({ is: `globalThis.mutant === ${one.id}`, form: form(one) }));
  if (body.isBlock)
    return `{ ${forms.map(({ is, form }) => `if (${is}) { ${form}\n } else `).join('')}{ ${usual}\n } }`;
  return `(${forms.map(({ is, form }) => `${is} ? (${form}) : `).join('')}(${usual}))`;
}

function outermost(bodies: readonly Body[]): readonly Body[] {
  const unlike = [...new Map(bodies.map((body) => [`${body.start} ${body.end}`, body])).values()];
  return unlike
    .filter((body) => !unlike.some((other) => other !== body && other.start <= body.start && other.end >= body.end))
    .toSorted((one, other) => one.start - other.start);
}

function isIn({ start, end }: Body): (one: One) => boolean {
  return ({ body }) => body.start >= start && body.end <= end;
}
