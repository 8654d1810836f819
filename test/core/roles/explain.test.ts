import { expect, test } from 'vitest';
import { formatRole } from '../../../src/core/roles/explain-roles.ts';

test('a role is explained by what was chosen, what was not, and what is asked', () => {
  const question = { role: 'coverage', reason: 'choice', looks: [] } as const;
  const lines = formatRole({
    role: 'coverage',
    chosen: 'Coverage/2',
    reason: 'the only one that fits',
    refused: [{ reference: 'Coverage/1', label: 'Lakeside PPO', fits: false, reason: 'it is cancelled' }],
    sources: [{ source: { resource: 'Coverage/2', path: 'Coverage.class' }, words: 'RxBIN 012345' }, { words: 'A4' }],
    questions: [
      {
        ...question,
        severity: 'blocks',
        part: 'rx_bin',
        message: 'Which number?',
        options: [
          { value: '012345', label: '012345' },
          { value: '543210', label: 'of the card' },
        ],
      },
      { ...question, severity: 'warns', message: 'Look at the card.' },
    ],
  });
  expect(lines).toEqual([
    '  coverage: Coverage/2: the only one that fits',
    '      not Coverage/1 (Lakeside PPO): it is cancelled',
    '      Coverage/2 Coverage.class says "RxBIN 012345"',
    '      a person says "A4"',
    '      asks about rx_bin: Which number?',
    '          choose 012345',
    '          choose 543210: of the card',
    '      warns: Look at the card.',
  ]);
});

test('a role that nothing fills says so, and one without a choice stands alone', () => {
  const empty = { refused: [], sources: [], questions: [] };
  expect(formatRole({ role: 'card', reason: 'the chart has none', ...empty })).toEqual([
    '  card: none: the chart has none',
  ]);
  expect(formatRole({ role: 'site', ...empty })).toEqual(['  site']);
});
