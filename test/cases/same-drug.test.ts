import { describe, expect, test } from 'vitest';
import type { Case } from '../../src/cases/case.ts';
import type { CaseContext } from '../../src/cases/context.ts';
import { asksSameDrug, assertNoDuplicate, duplicatesOf, isSameRequest } from '../../src/cases/same-request.ts';
import { codedBody, currentBody } from '../service/sample.ts';

function coded(extra: object) {
  const body = codedBody();
  return { ...body, prescription: { ...body.prescription, extra } };
}

test('a request with the drug by its NDC and one by its name are for the same drug', () => {
  expect(asksSameDrug(coded({ drug_name: 'OXAPROZIN' }), currentBody())).toBe(true);
  expect(asksSameDrug(coded({ drug_name: 'Humira' }), currentBody())).toBe(false);
  expect(asksSameDrug(coded({}), coded({}))).toBe(true);
});

const named = (drug_name: string, extra: object = {}) => ({ prescription: { drug_name, extra } });
const verified = (name?: unknown) => ({ drugs: [{ name }, { name: 'another' }] });

describe('two bodies are for the same drug', () => {
  test.each([
    ['by one RxNorm code, whatever the name', named('Humira', { rxnorm: '1' }), named('adalimumab', { rxnorm: 1 })],
    ['by a name in another spelling', named(' Humira-Pen (2)'), named('HUMIRA pen 2')],
    ['by the name, where one has no code', named('Humira', { rxnorm: '1' }), named('Humira')],
    ['by the name, where a code is none', named('Humira', { rxnorm: '1' }), named('Humira', { rxnorm: {} })],
    ['by their first drug', verified('Humira'), verified('humira')],
    ['by a first drug and an order', verified('Humira'), named('Humira')],
    ['by an NDC', { prescription: { ndc: '0001' } }, { prescription: { ndc: '0001' } }],
  ])('%s', (_, one, other) => {
    expect([asksSameDrug(one, other), asksSameDrug(other, one)]).toEqual([true, true]);
  });

  test.each([
    ['two codes', named('Humira', { rxnorm: '1' }), named('Humira', { rxnorm: '2' })],
    ['two names', named('Humira'), named('Humira Pen')],
    ['no names', {}, {}],
    ['names of signs alone', named('--'), named('**')],
    ['a list that is none', { drugs: 'Humira' }, named('Humira')],
    ['a name that is none', verified(7), verified(7)],
    ['a list without a drug', { drugs: [] }, verified('Humira')],
    ['members that are none', { prescription: { drug_name: 'Humira', extra: 'x' } }, named('adalimumab')],
  ])('not with %s', (_, one, other) => {
    expect([asksSameDrug(one, other), asksSameDrug(other, one)]).toEqual([false, false]);
  });
});

const by = (npi: string | undefined, body: object = named('Humira')) => ({
  kind: 'prior-auth' as const,
  body: { ...body, ...(npi === undefined ? {} : { provider: { npi } }) },
});
const enrolling = (programId?: string) => ({ kind: 'enrollment' as const, body: { programId } });

test.each([
  [true, by('1'), by('1')],
  [true, by(undefined), by(undefined)],
  [false, by('1'), by('2')],
  [false, by('1'), by(undefined)],
  [false, by('1'), { ...by('1'), kind: 'benefit-verification' as const }],
  [false, by('1'), by('1', named('Enbrel'))],
  [true, enrolling('p1'), enrolling('p1')],
  [false, enrolling('p1'), enrolling('p2')],
  [false, enrolling('p1'), enrolling()],
  [false, enrolling(), enrolling('p1')],
])('the same request: %s, of kind, prescriber, drug and program: %#', (isSame, one, other) => {
  expect(isSameRequest(one, other)).toBe(isSame);
});

describe('a request for the same drug', () => {
  interface Row {
    readonly id: string;
    readonly state: string;
    readonly kind?: string;
    /** As it stands when it is opened. */
    readonly now?: string;
    readonly body?: object;
  }
  const context = (rows: readonly Row[]) => {
    const list = rows.map(({ id, state, kind = 'prior-auth' }) => ({ id, state, kind }));
    const get = async (id: string) => {
      const row = rows.find((each) => each.id === id)!;
      const { now: state = row.state, kind = 'prior-auth', body = named('Humira') } = row;
      return { id, state, kind, body } as unknown as Case; // what is compared
    };
    const store = { cases: { forPatient: async () => list } };
    return { store, get } as unknown as Pick<CaseContext, 'store' | 'get'>;
  };
  const own = { id: 'own', site: 'valley', patient: 'Patient/p1' } as Case;
  const asked = { kind: 'prior-auth', body: named('humira') } as const;
  const idsOf = async (rows: readonly Row[]) => (await duplicatesOf(context(rows), own, asked)).map(({ id }) => id);

  test.each([
    ['sending', true],
    ['unknown', true],
    ['open', true],
    ['draft', false],
    ['refused', false],
    ['ended', false],
  ])('that is %s is under way: %s', async (state, isUnderWay) => {
    expect(await idsOf([{ id: 'a', state }])).toEqual(isUnderWay ? ['a'] : []);
    expect(await idsOf([{ id: 'a', state: 'open', now: state }])).toEqual(isUnderWay ? ['a'] : []);
  });

  test('is not the case itself, one of another kind, or for another drug', async () => {
    const rows = [
      { id: 'own', state: 'open' },
      { id: 'b', state: 'open', kind: 'enrollment' },
      { id: 'c', state: 'open', body: named('Enbrel') },
      { id: 'd', state: 'open' },
    ];
    expect(await idsOf(rows)).toEqual(['d']);
  });

  test('is refused as long as nobody has seen it, and then named', async () => {
    const rows = [
      { id: 'a', state: 'open' },
      { id: 'b', state: 'sending' },
    ];
    const seen = (ids: readonly string[]) => assertNoDuplicate(context(rows), own, asked, ids);
    await expect(seen([])).rejects.toMatchObject({ code: 'case_duplicate', facts: { case: 'own', other: 'a' } });
    await expect(seen(['a'])).rejects.toMatchObject({ code: 'case_duplicate', facts: { other: 'b' } });
    expect(await seen(['b', 'a', 'z'])).toEqual(['a', 'b']);
    expect(await assertNoDuplicate(context([]), own, asked, ['z'])).toEqual([]);
  });
});
