import { describe, expect, test } from 'vitest';
import type { Case } from '../../../../src/cases/case.ts';
import { denialWay, exceptionOf, knownOf, sectionOf } from '../../../../src/web/pages/case/denial-way.ts';
import { nextStepText } from '../../../../src/web/pages/case/words.ts';
import { testConfig } from '../../support.ts';

const [site] = testConfig().sites;
const at = (profile: 'documented' | 'current') => ({ service: { ...site!.service, profile } });

function denied(detail_code: string, next_steps?: string): Case {
  const advice = next_steps === undefined ? {} : { denial_reason_analysis: { next_steps } };
  const record = { id: 'pa_1', status: 'completed', outcome: { result: 'Denied', detail_code }, ...advice };
  return { kind: 'prior-auth', state: 'ended', serviceId: 'pa_1', record, events: [] } as unknown as Case;
}

describe('the way after a denial', () => {
  test.each([
    ['step_therapy_criteria_not_met', undefined, 'again', 'again'],
    ['unknown', 'resubmit', 'again', 'again'],
    ['formulary_alternative_preferred', undefined, 'exception', 'exception'],
    ['coverage_limits_exceeded', undefined, 'exception', 'exception'],
    ['plan_exclusion', 'appeal', 'exception', 'appeal'],
    ['existing_denial', undefined, 'again', 'appeal'],
    ['medical_necessity_criteria_not_met', 'Appeal', 'again', 'appeal'],
  ] as const)(
    'of %s, advised to %s, is %s; where the service takes appeals, %s',
    (code, advice, documented, current) => {
      const one = denied(code, advice);
      expect([denialWay(one, at('documented')), denialWay(one, at('current'))]).toEqual([documented, current]);
    },
  );

  test('opens the section that it needs, where the profile has one', () => {
    expect(sectionOf('appeal', at('current'))).toBe('#section-appeal');
    expect(sectionOf('exception', at('current'))).toBe('#section-resubmission');
    expect([sectionOf('exception', at('documented')), sectionOf('again', at('current'))]).toEqual(['', '']);
  });

  test('an appeal is not suggested as something to do here where the service takes none', () => {
    expect(nextStepText('Appeal', false)).toContain('This app cannot send an appeal: follow the payer’s letter');
    expect(nextStepText('Appeal', true)).toBe('appeal the decision');
  });

  test('the reason of an exception goes where the profile has a place for it', () => {
    const said = { text: 'Two drugs failed.', by: 'Noor', at: '2026-11-21T15:00:00.000Z' };
    expect(exceptionOf(at('current'), said)).toEqual({ edits: { 'resubmission_info.note': 'Two drugs failed.' } });
    const statements = [{ cell: 'rationale', ...said }];
    expect(exceptionOf(at('documented'), said)).toEqual({ sheet: { goes: true, statements } });
    expect(exceptionOf(at('documented'), { ...said, text: '' })).toEqual({});
  });

  test('names the denied request in the next one, where the profile asks for it', () => {
    const known = { 'resubmission_info.previous_prior_auth_request_id': 'pa_1' };
    expect(knownOf(denied('unknown'), at('current'))).toEqual(known);
    expect(knownOf(denied('unknown'), at('documented'))).toEqual({});
  });
});
