import { test } from 'vitest';
import { expectLives } from './many-lives.ts';

const lives = 300;

test(`${lives} random lives of a case end with one Task and each document once, or the ledger says more`, () =>
  expectLives(lives, { retracted: 11 }));
