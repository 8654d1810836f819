import { malformed, noFunction, noSign, noSpecial, noVariable, type RefusedCase } from './spec-refusals.ts';

/** Functions over collections beyond the subset's, variables of FHIR's own, and comments. */
export const refusedCollections: Readonly<Record<string, readonly RefusedCase[]>> = {
  comments: [
    ...noSign('+', {
      testComment1: '3 + 4 // one line, and no + 5',
      testComment3: '3 + 4\n/*\n+ 5\n*/',
      testComment4: '3 + 4\n/*\nleft out\n*/\n+ 5',
      testComment9: '3 + /* here too $@%^+ * */ 4 = 7',
    }),
    ...malformed(noSign('+', { testComment7: '3 + 4 /', testComment8: '3 + 4 /* without an end' })),
    ...noSign('/', {
      testComment2: '// with // inside,\n// over two lines\n3+4',
      testComment5: '/*\nleft out\n*/\n3+4',
      testComment6: '8 // a remark\n/ 4',
    }),
  ],
  testDollar: [
    ...noFunction('substring', {
      testDollarThis1: "Patient.name.given.where(substring($this.length()-2) = 'xx')",
      testDollarThis2: "Patient.name.given.where(substring($this.length()-2) = 'ra')",
    }),
    ...noFunction('skip', {
      testDollarOrderAllowed: 'Patient.name.skip(1).given',
      testDollarOrderAllowedA: 'Patient.name.skip(3).given',
    }),
    ...noFunction('children', { testDollarOrderNotAllowed: 'Patient.children().skip(1)' }),
  ],
  testAll: noFunction('select', {
    testAllTrue1: 'Patient.name.select(given.exists()).allTrue()',
    testAllTrue2: 'Patient.name.select(period.exists()).allTrue()',
  }),
  testSubSetOf: noFunction('subsetOf', {
    testSubSetOf1: 'Patient.name.first().subsetOf($this.name)',
    testSubSetOf2: 'Patient.name.subsetOf($this.name.first()).not()',
    testSubSetOf3:
      "supportingInfo.where(category.coding.code = 'bodysite').sequence.subsetOf($this.item.informationSequence)",
  }),
  testSuperSetOf: noFunction('supersetOf', {
    testSuperSetOf1: 'Patient.name.first().supersetOf($this.name).not()',
    testSuperSetOf2: 'Patient.name.supersetOf($this.name.first())',
  }),
  testCollectionBoolean: noSign('/', {
    testCollectionBoolean5: 'iif(true, true, 7/0)',
    testCollectionBoolean6: 'iif(false, 7/0, true)',
  }),
  testDistinct: [
    ...noFunction('isDistinct', { testDistinct1: '(5 | 6 | 7).isDistinct()' }),
    ...noFunction('descendants', {
      testDistinct2: 'Questionnaire.descendants().linkId.isDistinct()',
      testDistinct3: 'Questionnaire.descendants().linkId.select(substring(0,2)).isDistinct().not()',
      testDistinct5: 'Questionnaire.descendants().linkId.distinct().count()',
      testDistinct6: 'Questionnaire.descendants().linkId.select(substring(0,2)).distinct().count()',
    }),
  ],
  testSelect: noFunction('select', {
    testSelect1: 'Patient.name.select(given).count() = 5',
    testSelect2: 'Patient.name.select(given | family).count() = 7',
    testSelect3: "name.select(use.contains('x')).count()",
  }),
  testRepeat: [
    ...noFunction('repeat', {
      testRepeat1: 'ValueSet.expansion.repeat(contains).count() = 4',
      testRepeat2: 'Questionnaire.repeat(item).code.count() = 4',
      testRepeat5: "Patient.name.repeat('word')",
    }),
    ...noFunction('descendants', { testRepeat3: 'Questionnaire.descendants().code.count() = 9' }),
    ...noFunction('children', { testRepeat4: 'Questionnaire.children().code.count() = 3' }),
  ],
  testAggregate: [
    ...noSign('+', {
      testAggregate1: '(2|4|6|8).aggregate($this+$total, 0) = 20',
      testAggregate2: '(2|4|6|8).aggregate($this+$total, 3) = 23',
    }),
    ...noSpecial('$total', {
      testAggregate3: '(2|4|6|8).aggregate(iif($total.empty(), $this, iif($this < $total, $this, $total))) = 2',
      testAggregate4: '(2|4|6|8).aggregate(iif($total.empty(), $this, iif($this > $total, $this, $total))) = 8',
    }),
  ],
  testSingle: noFunction('single', {
    testSingle1: 'Patient.name.first().single().exists()',
    testSingle2: 'Patient.name.single().exists()',
  }),
  testSkip: noFunction('skip', {
    testSkip1: '(5 | 6 | 7).skip(1) = 6 | 7',
    testSkip2: '(5 | 6 | 7).skip(2) = 7',
    testSkip3: "Patient.name.skip(1).given.trace('rest') = 'Nono' | 'Nora' | 'Lee'",
    testSkip4: 'Patient.name.skip(3).given.exists() = false',
  }),
  testTake: noFunction('take', {
    testTake1: '(5 | 6 | 7).take(1) = 5',
    testTake2: '(5 | 6 | 7).take(2) = 5 | 6',
    testTake3: "Patient.name.take(1).given = 'Nora' | 'Lee'",
    testTake4: "Patient.name.take(2).given = 'Nora' | 'Lee' | 'Nono'",
    testTake5: 'Patient.name.take(3).given.count() = 5',
    testTake6: 'Patient.name.take(4).given.count() = 5',
    testTake7: 'Patient.name.take(0).given.exists() = false',
  }),
  testIif: [
    ...noFunction('toString', {
      testIif3: 'iif(true, true, (5 | 6).toString())',
      testIif4: 'iif(false, (5 | 6).toString(), true)',
    }),
    ...noFunction('select', { testIif9: "('here').iif(true, select($this), 'not here')" }),
  ],
  testTrace: noFunction('trace', {
    testTrace1: "name.given.trace('names').count() = 5",
    testTrace2: "name.trace('names', given).count() = 3",
  }),
  testSort: noFunction('sort', {
    testSort1: '(5 | 6 | 7).sort() = (5 | 6 | 7)',
    testSort2: '(7 | 6 | 5).sort() = (5 | 6 | 7)',
    testSort3: '(5 | 6 | 7).sort($this) = (5 | 6 | 7)',
    testSort4: '(7 | 6 | 5).sort($this) = (5 | 6 | 7)',
    testSort5: '(5 | 6 | 7).sort(-$this) = (7 | 6 | 5)',
    testSort6: "('k' | 'l' | 'm').sort($this) = ('k' | 'l' | 'm')",
    testSort7: "('m' | 'l' | 'k').sort($this) = ('k' | 'l' | 'm')",
    testSort8: "('k' | 'l' | 'm').sort(-$this) = ('m' | 'l' | 'k')",
    testSort9: "Patient.name[0].given.sort() = ('Lee' | 'Nora')",
    testSort10: "Patient.name.sort(-family, -given.first()).first().use = 'usual'",
  }),
  testCombine: noFunction('combine', {
    testCombine1: 'concept.code.combine($this.descendants().concept.code).isDistinct()',
    testCombine2: "name.given.combine(name.family).exclude('Nono')",
    testCombine3: "name.given.combine($this.name.family).exclude('Nono')",
  }),
  testUnion: [
    ...noFunction('union', {
      testUnion4: '5.union(6).union(7).count() = 3',
      testUnion5: '5.union(6.union(7)).count() = 3',
    }),
    ...noFunction('combine', {
      testUnion6: '(5 | 6).combine(6).count() = 3',
      testUnion7: '5.combine(5).count() = 2',
      testUnion8: '5.combine(5).union(6).count() = 2',
    }),
    ...noFunction('select', {
      testUnion9: 'name.select(use | given).count()',
      testUnion10: 'name.select(use.union($this.given)).count()',
      testUnion11: 'name.select(use.union(given)).count()',
    }),
  ],
  testIntersect: [
    ...noFunction('intersect', {
      testIntersect1: '(5 | 6 | 7).intersect(6 | 8) = 6',
      testIntersect2: '(5 | 6).intersect(8).empty()',
      testIntersect3: '(5 | 6).intersect({}).empty()',
    }),
    ...noFunction('combine', { testIntersect4: '5.combine(5).intersect(5).count() = 1' }),
  ],
  testExclude: [
    ...noFunction('exclude', {
      testExclude1: '(5 | 6 | 7).exclude(6 | 8) = 5 | 7',
      testExclude2: '(5 | 6).exclude(8) = 5 | 6',
      testExclude3: '(5 | 6).exclude({}) = 5 | 6',
    }),
    ...noFunction('combine', { testExclude4: '5.combine(5).exclude(6).count() = 2' }),
  ],
  testVariables: noVariable('vs-administrative-gender', {
    testVariables4: "%`vs-administrative-gender` = 'http://hl7.org/fhir/ValueSet/administrative-gender'",
  }),
  testExtension: noVariable('ext-patient-birthTime', {
    testExtension2: 'Patient.birthDate.extension(%`ext-patient-birthTime`).exists()',
  }),
  'from-Zulip': noFunction('allTrue', { 'from-zulip-2': "(true | 'word').allTrue()" }),
  'index-part': noSpecial('$index', { testIndex: "Patient.telecom.select(iif(value = '555-0143', $index, {}))" }),
  miscEngineTests: noFunction('select', { testPrimitiveExtensions: 'Patient.name.given.select($this.hasValue())' }),
};
