import { expect, test } from 'vitest';
import { createLog } from '../../src/base/log.ts';

function logged(write: (log: ReturnType<typeof createLog>) => void, level = 'info'): unknown[] {
  const lines: string[] = [];
  const output = { write: (line: string) => void lines.push(line) };
  write(createLog({ output, level, clock: () => new Date('2026-11-21T12:00:00Z') }));
  return lines.map((line) => JSON.parse(line));
}

test('a line is JSON with time, level, message and the facts that are allowed', () => {
  expect(
    logged((log) => log.warn({ case: 'c-1', code: 'ehr_error', http: 503, sites: ['valley'] }, 'write-back')),
  ).toEqual([
    {
      time: '2026-11-21T12:00:00.000Z',
      level: 'warn',
      message: 'write-back',
      case: 'c-1',
      code: 'ehr_error',
      http: 503,
      sites: ['valley'],
    },
  ]);
});

test('what is not on the list is left out and named, whatever it holds', () => {
  const facts = { patient: 'Canary Testperson', body: { drug: 'adalimumab' }, case: { name: 'Canary' }, count: 2 };
  const lines = logged((log) => log.info(facts, 'x'));
  expect(lines).toMatchObject([{ count: 2, left_out: ['patient', 'body', 'case'] }]);
  expect(JSON.stringify(lines)).not.toMatch(/Canary|adalimumab/);
});

test('how a client signs in is one of three words, and of a token only which one it is: else they are left out', () => {
  const lines = logged((log) => {
    log.info({ auth: 'client_secret', token: 'id_token', check: ['client.id is the one that the EHR gave'] }, 'x');
    log.info({ auth: 'Basic Y2FuYXJ5', token: 'eyJjYW5hcnki', check: { said: 'canary' } }, 'x');
  });
  expect(lines).toMatchObject([
    { auth: 'client_secret', token: 'id_token', check: ['client.id is the one that the EHR gave'] },
    { left_out: ['auth', 'token', 'check'] },
  ]);
  expect(JSON.stringify(lines)).not.toMatch(/canary|Y2FuYXJ5|eyJjYW5hcnki/);
});

test('of an error only its kind and its code are told, never its message', () => {
  const thrown = Object.assign(new TypeError('Canary Testperson has no name'), { code: 'ERR_X' });
  const lines = logged((log) => {
    log.error({ err: thrown }, 'failed');
    log.error(thrown, 'failed');
    log.child({ reqId: 'r-1', patient: 'Canary' }).error(thrown);
  });
  expect(lines[0]).toMatchObject({ cause: 'TypeError', code: 'ERR_X' });
  expect(JSON.stringify(lines)).not.toContain('Canary');
});

test('long texts are cut, and lines below the level are not written', () => {
  const lines = logged((log) => {
    log.debug({}, 'not told');
    log.info({ reason: 'x'.repeat(1000) }, 'told');
  }) as { reason: string }[];
  expect(lines.map(({ reason }) => reason.length)).toEqual([301]);
});
