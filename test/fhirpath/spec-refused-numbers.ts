import {
  type Expressions,
  noFunction,
  noSign,
  noType,
  type RefusedCase,
  refusedAt,
  unexpected,
} from './spec-refusals.ts';

const midnight = '@2029-11-27T00:00:00.000+05:30';

// Every operator is asked of times of day (a smaller, an equal and a greater one, unlike precisions) and of a quantity with a unit.
function compared(name: string, operator: string, pounds: number): RefusedCase[] {
  const times: Expressions = {
    [`${name}7`]: `@T09:00:00 ${operator} @T11:00:00`,
    [`${name}14`]: `@T09:00:00 ${operator} @T09:00:00`,
    [`${name}21`]: `@T09:00:01 ${operator} @T09:00:00`,
    [`${name}25`]: `@T09:45 ${operator} @T09:45:00`,
    [`${name}27`]: `@T09:45:00 ${operator} @T09:45:00.0`,
  };
  return [
    ...noSign('@T', times),
    ...unexpected("'[lb_av]'", { [`${name}22`]: `Observation.value ${operator} ${pounds} '[lb_av]'` }),
  ];
}

// Equivalence and its negation are asked the same first ten questions.
function equivalent(name: string, sign: string): Expressions {
  const pairs = ['7 7', '{} {}', '', '7 8', "'k' 'k'", "'k' 'K'", "'k' 'l'", '7.5 7.5', '7.5 7.6', '7.50 7.5'];
  return Object.fromEntries(
    pairs.flatMap((pair, index) => (pair === '' ? [] : [[`${name}${index + 1}`, pair.replace(' ', ` ${sign} `)]])),
  );
}

const date = '@2029-11-27';
const moment = '@2029-11-27T08:45:31';
const firstTwo = 'name.take(2)';

/** Arithmetic, equivalence, functions over numbers, boundaries and precision. */
export const refusedNumbers: Readonly<Record<string, readonly RefusedCase[]>> = {
  testEquality: [
    ...noFunction('take', {
      testEquality26: `${firstTwo} = ${firstTwo}.first() | ${firstTwo}.last()`,
      testEquality27: `${firstTwo} = ${firstTwo}.last() | ${firstTwo}.first()`,
    }),
    ...unexpected("'[lb_av]'", { testEquality28: "Observation.value = 182 '[lb_av]'" }),
  ],
  testNEquality: [
    ...noFunction('take', {
      testNEquality20: `${firstTwo} != ${firstTwo}.first() | ${firstTwo}.last()`,
      testNEquality21: `${firstTwo} != ${firstTwo}.last() | ${firstTwo}.first()`,
    }),
    ...noSign('/', {
      testNEquality22: '(2.5 / 1.5).round(2) != 1.6666667',
      testNEquality23: '(2.5 / 1.5).round(2) != 1.67',
    }),
    ...unexpected("'kg'", { testNEquality24: "Observation.value != 182 'kg'" }),
  ],
  testEquivalent: [
    ...noSign('~', {
      ...equivalent('testEquivalent', '~'),
      testEquivalent3: '7 ~ {}',
      testEquivalent12: '0 ~ 0',
      testEquivalent13: '0.0 ~ 0',
      testEquivalent14: `${date} ~ ${date}`,
      testEquivalent15: `${date} ~ @2029-11-28`,
      testEquivalent16: `${date} ~ ${date}T08:00:00`,
      testEquivalent17: `${moment} ~ ${moment}.0`,
      testEquivalent18: `${moment} ~ ${moment}.1`,
      testEquivalent19: 'name ~ name',
      testEquivalent20: `${firstTwo}.given ~ ${firstTwo}.first().given | ${firstTwo}.last().given`,
      testEquivalent21: `${firstTwo}.given ~ ${firstTwo}.last().given | ${firstTwo}.first().given`,
      testEquivalent22: "Observation.value ~ 182 '[lb_av]'",
      testEquivalent23: '(5 | 6 | 7) ~ (5 | 6 | 7)',
      'testEquivalent23, again': '(5 | 6 | 7) ~ (7 | 6 | 5)',
    }),
    ...noSign('/', { testEquivalent11: '2.5 / 1.5 ~ 1.67' }),
  ],
  testNotEquivalent: [
    ...noSign('!~', {
      ...equivalent('testNotEquivalent', '!~'),
      testNotEquivalent3: '{} !~ 7',
      testNotEquivalent11: '0 !~ 0',
      testNotEquivalent12: '0.0 !~ 0',
      testNotEquivalent14: `${date} !~ ${date}`,
      testNotEquivalent15: `${date} !~ @2029-11-28`,
      testNotEquivalent16: `${date} !~ ${date}T08:00:00`,
      testNotEquivalent17: `${moment} !~ ${moment}.0`,
      testNotEquivalent18: `${moment} !~ ${moment}.1`,
      testNotEquivalent19: 'name !~ name',
      testNotEquivalent20: `${firstTwo}.given !~ ${firstTwo}.first().given | ${firstTwo}.last().given`,
      testNotEquivalent21: `${firstTwo}.given !~ ${firstTwo}.last().given | ${firstTwo}.first().given`,
      testNotEquivalent22: "Observation.value !~ 182 'kg'",
    }),
    ...noSign('/', { testNotEquivalent13: '2.5 / 1.5 !~ 1.6' }),
  ],
  testLessThan: compared('testLessThan', '<', 200),
  testLessOrEqual: compared('testLessOrEqual', '<=', 200),
  testGreatorOrEqual: compared('testGreatorOrEqual', '>=', 100),
  testGreaterThan: compared('testGreaterThan', '>', 100),
  testPlus: noSign('+', {
    testPlus1: '2 + 2 = 4',
    testPlus2: '2 + 0 = 2',
    testPlus3: '2.5 + 1.5 = 4.0',
    testPlus4: "'k'+'l' = 'kl'",
    testPlusDate1: `${date} + 7 days`,
    testPlusDate2: `${date} + 7.7 days`,
    testPlusDate3: `${midnight} + 7 days`,
    testPlusDate4: `${midnight} + 7.7 days`,
    testPlusDate5: `${midnight} + 1 second`,
    testPlusDate6: `${midnight} + 10 millisecond`,
    testPlusDate7: `${midnight} + 1 minute`,
    testPlusDate8: `${midnight} + 1 hour`,
    testPlusDate9: `${date} + 1 day`,
    testPlusDate10: `${date} + 1 month`,
    testPlusDate11: `${date} + 1 week`,
    testPlusDate12: `${date} + 1 year`,
    testPlusDate13: `${date} + 1 'd'`,
    testPlusDate14: `${date} + 1 'mo'`,
    testPlusDate15: `${date} + 1 'wk'`,
    testPlusDate16: `${date} + 1 'a'`,
    testPlusDate17: "@2031-11-27 + 1 'a'",
    testPlusDate18: `${midnight} + 1 's'`,
    testPlusDate19: `${midnight} + 0.1 's'`,
    testPlusDate20: `${midnight} + 10 'ms'`,
    testPlusDate21: `${midnight} + 1 'min'`,
    testPlusDate22: `${midnight} + 1 'h'`,
    testPlus6: '@2031-11-27 + 7',
  }),
  testConcatenate: noSign('&', {
    testConcatenate1: "'k' & 'l' = 'kl'",
    testConcatenate2: "'7' & {} = '7'",
    testConcatenate3: "{} & 'l' = 'l'",
    testConcatenate4: "(5 | 6 | 7) & 'l' = '5,6,7l'",
  }),
  testMinus: unexpected('-', {
    testMinus1: '2 - 2 = 0',
    testMinus2: '2 - 0 = 2',
    testMinus3: '2.5 - 1.5 = 1.0',
    testMinus4: "'k'-'l' = 'kl'",
    testMinus5: "@2031-11-27 - 1 'month'",
    testMinus6: "@2031-11-27 - 1 'cm'",
  }),
  testMultiply: noSign('*', {
    testMultiply1: '2 * 1 = 2',
    testMultiply2: '2 * 0 = 0',
    testMultiply3: '2.5 * 1.5 = 3.75',
  }),
  testDivide: noSign('/', {
    testDivide1: '3 / 3 = 1',
    testDivide2: '6 / 3 = 2',
    testDivide3: '6.0 / 3.0 = 2.0',
    testDivide4: '3 / 6 = 0.5',
    testDivide5: '(2.5 / 1.5).round(2) = 1.67',
    testDivide6: '3 / 0',
  }),
  testDiv: unexpected('div', {
    testDiv1: '3 div 3 = 1',
    testDiv2: '6 div 3 = 2',
    testDiv3: '7 div 3 = 2',
    testDiv4: '2.5 div 1.5 = 1',
    testDiv5: '7 div 0',
  }),
  testMod: unexpected('mod', {
    testMod1: '3 mod 3 = 0',
    testMod2: '6 mod 3 = 0',
    testMod3: '7 mod 3 = 1',
    testMod4: '2.5 mod 1.5 = 1.0',
    testMod5: '7 mod 0',
  }),
  testRound: noFunction('round', { testRound1: '7.round() = 7', testRound2: '2.71828.round(3) = 2.718' }),
  testSqrt: noFunction('sqrt', { testSqrt1: '49.sqrt() = 7.0', testSqrt2: '(-7).sqrt()' }),
  testAbs: [
    ...noFunction('abs', { testAbs1: '(-7).abs() = 7', testAbs2: '(-7.5).abs() = 7.5' }),
    ...refusedAt("'mg'", /^"\)" is expected before "'mg'"$/, { testAbs3: "(-7.5 'mg').abs() = 7.5 'mg'" }),
  ],
  testCeiling: noFunction('ceiling', {
    testCeiling1: '7.ceiling() = 7',
    testCeiling2: '(-7.1).ceiling() = -7',
    testCeiling3: '7.1.ceiling() = 8',
  }),
  testExp: noFunction('exp', {
    testExp1: '0.exp() = 1',
    testExp2: '(-0.0).exp() = 1',
    testExp3: '{}.exp().empty() = true',
  }),
  testFloor: noFunction('floor', {
    testFloor1: '7.floor() = 7',
    testFloor2: '7.1.floor() = 7',
    testFloor3: '(-7.1).floor() = -8',
  }),
  testLn: noFunction('ln', { testLn1: '1.ln() = 0.0', testLn2: '1.0.ln() = 0.0' }),
  testLog: noFunction('log', { testLog1: '8.log(2) = 3.0', testLog2: '1000.0.log(10.0) = 3.0' }),
  testPower: noFunction('power', {
    testPower1: '3.power(2) = 9',
    testPower2: '1.5.power(2) = 2.25',
    testPower3: '(-7).power(0.5)',
  }),
  testTruncate: noFunction('truncate', {
    testTruncate1: '77.truncate() = 77',
    testTruncate2: '7.00000007.truncate() = 7',
    testTruncate3: '(-7.56).truncate() = -7',
  }),
  testPrecedence: [
    ...noFunction('convertsToInteger', { testPrecedence1: '-7.convertsToInteger()' }),
    ...noSign('+', { testPrecedence2: '2+3*4+5 = 19' }),
    ...noType('3 is', { testPrecedence3: '2 > 3 is Boolean' }),
    ...noType('2 is', { testPrecedence4: '3 | 2 is Integer' }),
    ...noFunction('trace', {
      testPrecedence6:
        "category.exists(coding.exists(system = 'http://terminology.hl7.org/CodeSystem/observation-category' and code.trace('code') in ('vital-signs' | 'exam').trace('codes')))",
    }),
  ],
  LowBoundary: [
    ...noFunction('lowBoundary', {
      LowBoundaryDecimalDefault: '2.349.lowBoundary()',
      LowBoundaryDecimal1: '2.349.lowBoundary(6)',
      LowBoundaryDecimal2: '2.349.lowBoundary(2)',
      LowBoundaryDecimal3: '2.349.lowBoundary(-1)',
      LowBoundaryDecimal4: '2.349.lowBoundary(0)',
      LowBoundaryDecimal5: '2.349.lowBoundary(32)',
      LowBoundaryNegDecimalDefault: '(-2.349).lowBoundary()',
      LowBoundaryNegDecimal1: '(-2.349).lowBoundary(6)',
      LowBoundaryNegDecimal2: '(-2.349).lowBoundary(2)',
      LowBoundaryNegDecimal3: '(-2.349).lowBoundary(-1)',
      LowBoundaryNegDecimal4: '(-2.349).lowBoundary(0)',
      LowBoundaryNegDecimal5: '(-2.349).lowBoundary(32)',
      LowBoundaryDecimal6: '2.349.lowBoundary(39)',
      LowBoundaryDecimal8: '7.lowBoundary(0)',
      LowBoundaryDecimal9: '7.lowBoundary(5)',
      LowBoundaryDecimal10: '72.349.lowBoundary(2)',
      LowBoundaryDecimal11: '72.300.lowBoundary(4)',
      LowBoundaryDecimal12: '720.lowBoundary(2)',
      LowBoundaryDecimal13: '(-720).lowBoundary(2)',
      LowBoundaryDecimal14: '0.0072.lowBoundary(1)',
      LowBoundaryDecimal15: '(-0.0072).lowBoundary(1)',
      LowBoundaryDateMonth: '@2029.lowBoundary(6)',
      LowBoundaryDateTimeMillisecond1: '@2029-11-27T08.lowBoundary(17)',
      LowBoundaryDateTimeMillisecond2: '@2029-11-27T08:45+05:30.lowBoundary(17)',
      LowBoundaryDateTimeMillisecond3: '@2029-11-27T08.lowBoundary(8)',
    }),
    ...noFunction('toDecimal', { LowBoundaryDecimal7: '7.toDecimal().lowBoundary()' }),
    ...unexpected("'mm'", { LowBoundaryQuantity: "2.349 'mm'.lowBoundary(8)" }),
    ...noSign('@T', { LowBoundaryTimeMillisecond: '@T08:45.lowBoundary(9)' }),
  ],
  HighBoundary: [
    ...noFunction('highBoundary', {
      HighBoundaryDecimalDefault: '2.349.highBoundary()',
      HighBoundaryDecimal1: '2.349.highBoundary(2)',
      HighBoundaryDecimal2: '2.349.highBoundary(6)',
      HighBoundaryDecimal3: '2.349.highBoundary(-1)',
      HighBoundaryDecimal4: '(-2.349).highBoundary()',
      HighBoundaryDecimal5: '(-2.349).highBoundary(2)',
      HighBoundaryDecimal6: '(-2.349).highBoundary(6)',
      HighBoundaryDecimal7: '2.349.highBoundary(39)',
      HighBoundaryDecimal8: '7.highBoundary()',
      HighBoundaryDecimal9: '7.highBoundary(0)',
      HighBoundaryDecimal10: '7.highBoundary(5)',
      HighBoundaryDecimal11: '72.349.highBoundary(2)',
      HighBoundaryDecimal12: '72.300.highBoundary(4)',
      HighBoundaryDecimal13: '720.highBoundary(2)',
      HighBoundaryDecimal14: '-720.highBoundary(2)',
      HighBoundaryDecimal15: '0.0072.highBoundary(1)',
      HighBoundaryDecimal16: '-0.0072.highBoundary(1)',
      HighBoundaryDecimal: '2.349.highBoundary(8)',
      HighBoundaryDateMonth: '@2029.highBoundary(6)',
      HighBoundaryDateTimeMillisecond1: '@2029-11-27T08.highBoundary(17)',
      HighBoundaryDateTimeMillisecond2: '@2029-11-27T08:45-05:00.highBoundary(17)',
      HighBoundaryDateTimeMillisecond3: '@2029-11-27T08.highBoundary(17)',
    }),
    ...unexpected("'mm'", { HighBoundaryQuantity: "2.349 'mm'.highBoundary(8)" }),
    ...noSign('@T', { HighBoundaryTimeMillisecond: '@T08:45.highBoundary(9)' }),
  ],
  Comparable: unexpected("'mm'", {
    Comparable1: "7 'mm'.comparable(7 '[ft_i]')",
    Comparable2: "7 'mm'.comparable(7 '[min]')",
    Comparable3: "7 'mm'.comparable(7 'min')",
  }),
  Precision: [
    ...noFunction('precision', {
      PrecisionDecimal: '2.34900.precision()',
      PrecisionYear: '@2029.precision()',
      PrecisionDateTimeMilliseconds: '@2029-11-27T08:45:00.000.precision()',
    }),
    ...noSign('@T', {
      PrecisionTimeMinutes: '@T08:45.precision()',
      PrecisionTimeMilliseconds: '@T08:45:00.000.precision()',
    }),
  ],
  period: noFunction('lowBoundary', {
    testPeriodInvariantNew:
      'Patient.identifier.period.all(start.empty() or end.empty() or (start.lowBoundary() < end.highBoundary()))',
  }),
};
