import { test } from 'vitest';
import { expectLives, messageChannels } from './many-lives.ts';

const lives = 300;

test(`${lives} random lives of a case end with one Task and each document once, or the ledger says more`, () =>
  expectLives(lives, { retracted: 11 }));

test.each(messageChannels)(
  `${lives} random lives with messages %s end with one summary, or the ledger says more`,
  (_, channels) => expectLives(lives, { retracted: 0 }, channels),
);
