import { describe, expect, test } from 'vitest';
import { outcomeResults, statuses } from '../../src/core/contract/prior-authorization.ts';
import { classifyOutcome, visibleOutcome } from '../../src/service/outcome-words.ts';
import { pollFactor } from '../../src/service/polling-pace.ts';
import { statusWords } from '../../src/service/status-words.ts';
import { statusRule, statusRules } from '../../src/service/statuses.ts';
import { taskCodes } from '../../src/service/task-codes.ts';

const isTerminal = (status: string) => statusRule('prior-auth', status).terminal;

describe('statuses', () => {
  test('every known status has a row, with a Task status of the table in the write-back rules', () => {
    expect(Object.keys(statusRules['prior-auth']).sort()).toEqual([...statuses].sort());
    expect(Object.fromEntries(statuses.map((status) => [status, taskCodes('prior-auth', status).status]))).toEqual({
      processing: 'received',
      not_submitted: 'rejected',
      awaiting_review: 'on-hold',
      awaiting_outcome: 'in-progress',
      awaiting_provider_response: 'on-hold',
      validating_outcome: 'in-progress',
      completed: 'completed',
      failed: 'failed',
      cancelled: 'cancelled',
    });
  });

  test('completed, failed, cancelled and not_submitted are the ends', () => {
    expect(statuses.filter(isTerminal).sort()).toEqual(['cancelled', 'completed', 'failed', 'not_submitted']);
  });

  test('only an end is not polled', () => {
    for (const status of statuses) expect(pollFactor('prior-auth', status) > 0).toBe(!isTerminal(status));
  });

  test.each(['created', 'awaiting_moon_phase', '', '__proto__', 'constructor', 'toString'])(
    'the unknown status "%s" is not finished and shows nothing',
    (status) => {
      expect(statusRule('prior-auth', status)).toMatchObject({ terminal: false, shows: 'none' });
      expect(taskCodes('prior-auth', status).status).toBe('in-progress');
      expect(visibleOutcome({ status, outcome: { result: 'Approved', detail_code: 'approval' } })).toBeUndefined();
    },
  );

  test.each([
    ['awaiting_moon_phase', 'Unknown status: “awaiting moon phase”'],
    ['approved', 'Unknown status: “approved”'],
    ['Approved', 'Unknown status: “Approved”'],
    [' ', 'Unknown status'],
  ])('the unknown status "%s" is named in its own words, as unknown', (status, label) => {
    expect(statusWords('prior-auth', status).label).toBe(label);
    expect(taskCodes('prior-auth', status).businessStatus).toBe(label);
  });
});

describe('what an outcome means', () => {
  test.each([
    ['Approved', 'approval', 'approved'],
    ['Approved', 'existing_approval', 'approved'],
    ['Approved', 'prior_auth_not_required', 'approved'],
    ['Denied', 'step_therapy_criteria_not_met', 'denied'],
    ['Denied', 'a_new_reason', 'denied'],
    ['Denied', undefined, 'denied'],
    ['Other', 'coverage_inactive', 'other'],
    ['Other', 'prior_auth_not_required', 'other'],
    ['Not Submitted', 'more_information_required', 'not_submitted'],
    // Anything that is not certainly an approval is none.
    ['Approved', undefined, 'needs_person'],
    ['Approved', 'approval_with_conditions', 'needs_person'],
    ['Approved', 'coverage_inactive', 'needs_person'],
    ['Approved', 'toString', 'needs_person'],
    ['Other', 'a_new_code', 'needs_person'],
    ['Pending', undefined, 'needs_person'],
    ['Partly Approved', 'approval', 'needs_person'],
    ['approvedish', 'approval', 'needs_person'],
    ['constructor', 'approval', 'needs_person'],
    [undefined, 'approval', 'needs_person'],
  ])('%s / %s is %s', (result, detail_code, kind) => {
    expect(
      classifyOutcome({
        ...(result === undefined ? {} : { result }),
        ...(detail_code === undefined ? {} : { detail_code }),
      }).kind,
    ).toBe(kind);
  });

  test.each([
    ['APPROVED', 'approval', 'approved'],
    ['approved', 'Existing Approval', 'approved'],
    ['denied', 'STEP_THERAPY_CRITERIA_NOT_MET', 'denied'],
    ['not_submitted', 'pbm_excluded', 'not_submitted'],
  ])('the older spelling %s / %s is read too', (result, detail_code, kind) => {
    expect(classifyOutcome({ result, detail_code }).kind).toBe(kind);
  });

  test('the record’s own words are kept verbatim', () => {
    expect(classifyOutcome({ result: 'Partly', detail: 'Half of it', detail_code: 'half' })).toMatchObject({
      result: 'Partly',
      detail: 'Half of it',
      detailCode: 'half',
    });
  });

  test('an expiration counts for an approval only', () => {
    const dates = { authorization_start_date: '2026-11-21', authorization_expiration: '2027-11-21' };
    expect(classifyOutcome({ result: 'Approved', detail_code: 'approval', ...dates })).toMatchObject({
      authorizationStart: '2026-11-21',
      authorizationExpiration: '2027-11-21',
    });
    expect(classifyOutcome({ result: 'Denied', detail_code: 'existing_denial', ...dates })).not.toHaveProperty(
      'authorizationExpiration',
    );
    expect(classifyOutcome({ result: 'Approved', ...dates })).not.toHaveProperty('authorizationExpiration');
  });

  test.each(['prior_auth_not_required', 'duplicate_request'])(
    'Other / %s does not claim that nothing was sent: the service has sent it',
    (detail_code) => {
      expect(classifyOutcome({ result: 'Other', detail_code })).toMatchObject({
        kind: 'other',
        next: expect.not.stringMatching(/nothing|not sent/i),
      });
    },
  );

  test('every code of every result has words of its own', () => {
    for (const result of outcomeResults) expect(classifyOutcome({ result }).label).not.toBe('');
  });
});

describe('what may be shown', () => {
  const approved = { result: 'Approved', detail_code: 'approval' };

  test.each([
    'processing',
    'awaiting_review',
    'awaiting_outcome',
    'awaiting_provider_response',
    'validating_outcome',
    'cancelled',
  ])('nothing at %s, whatever the record holds', (status) => {
    expect(visibleOutcome({ status, outcome: approved })).toBeUndefined();
  });

  test('the outcome at completed', () => {
    expect(visibleOutcome({ status: 'completed', outcome: approved })).toMatchObject({
      kind: 'approved',
      label: 'Approved',
    });
  });

  test('completed without an outcome, or with a placeholder, needs a person', () => {
    expect(visibleOutcome({ status: 'completed' })?.kind).toBe('needs_person');
    expect(visibleOutcome({ status: 'completed', outcome: { result: 'Pending' } })?.kind).toBe('needs_person');
    expect(
      visibleOutcome({ status: 'completed', outcome: { result: 'Not Submitted', detail_code: 'pbm_excluded' } })?.kind,
    ).toBe('needs_person');
  });

  test('failed is never an approval, and keeps the record’s words', () => {
    expect(visibleOutcome({ status: 'failed', outcome: approved })).toMatchObject({
      kind: 'needs_person',
      label: 'Could not be completed: the payer’s answer could not be read',
      result: 'Approved',
    });
  });

  test('not_submitted shows why it was not sent, and no payer’s outcome', () => {
    expect(
      visibleOutcome({
        status: 'not_submitted',
        outcome: { result: 'Not Submitted', detail_code: 'eligibility_check_government_plan' },
      }),
    ).toMatchObject({
      kind: 'not_submitted',
      label: 'Not submitted: government plan',
    });
    expect(visibleOutcome({ status: 'not_submitted', outcome: approved })).toMatchObject({
      kind: 'not_submitted',
      label: 'Not submitted',
    });
  });
});
