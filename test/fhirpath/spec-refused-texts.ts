import { noFunction, type RefusedCase } from './spec-refusals.ts';

const canonical = "'http://ehr.example/base/Questionnaire/Intake-Form|2.1'";
const stops = "'<>one<><>two<><><>three<><>'";

/** Functions over texts, other than startsWith, endsWith and contains. */
export const refusedTexts: Readonly<Record<string, readonly RefusedCase[]>> = {
  testCase: [
    ...noFunction('upper', { testCase1: "'k'.upper() = 'K'", testCase3: "'K'.upper() = 'K'" }),
    ...noFunction('lower', { testCase2: "'k'.lower() = 'k'", testCase4: "'K'.lower() = 'k'" }),
  ],
  testToChars: noFunction('toChars', { testToChars1: "'k7'.toChars() = 'k' | '7'" }),
  testIndexOf: noFunction('indexOf', {
    testIndexOf1: "'Intake-Form'.indexOf('-')",
    testIndexOf2: "'Intake-Form'.indexOf('x')",
    testIndexOf3: "'Intake-Form'.indexOf('')",
    testIndexOf4: "{}.indexOf('-').empty() = true",
    testIndexOf5: "'Intake-Form'.indexOf({}).empty() = true",
    testIndexOf6: '{}.indexOf({}).empty() = true',
  }),
  testSubstring: noFunction('substring', {
    testSubstring1: "'abcde'.substring(2) = 'cde'",
    testSubstring2: "'abcde'.substring(2,1) = 'c'",
    testSubstring3: "'abcde'.substring(2,5) = 'cde'",
    testSubstring4: "'abcde'.substring(25).empty()",
    testSubstring5: "'abcde'.substring(-1).empty()",
    testSubstring7: "'Intake-Form'.substring(0, 6)",
    testSubstring8: "'Intake-Form'.substring(0, 'Intake-Form'.indexOf('-'))",
    testSubstring9: '{}.substring(25).empty() = true',
  }),
  testMatches: [
    ...noFunction('matches', {
      testMatchesCaseSensitive1: "'HL7'.matches('HL7')",
      testMatchesCaseSensitive2: "'HL7'.matches('hl7')",
      testMatchesEmpty: "'HL7'.matches({}).empty() = true",
      testMatchesEmpty2: "{}.matches('HL7').empty() = true",
      testMatchesEmpty3: '{}.matches({}).empty() = true',
      testMatchesSingleLineMode1: "'K\n  L'.matches('K.*L')",
      testMatchesWithinUrl1: `${canonical}.matches('questionnaire')`,
      testMatchesWithinUrl2: `${canonical}.matches('Questionnaire')`,
      testMatchesWithinUrl3: `${canonical}.matches('^Questionnaire$')`,
      testMatchesWithinUrl1a: `${canonical}.matches('.*Questionnaire.*')`,
      testMatchesWithinUrl4: `${canonical}.matches('Task')`,
    }),
    ...noFunction('matchesFull', {
      testMatchesFullWithinUrl1: `${canonical}.matchesFull('questionnaire')`,
      testMatchesFullWithinUrl3: `${canonical}.matchesFull('Questionnaire')`,
      testMatchesFullWithinUrl4: `${canonical}.matchesFull('^Questionnaire$')`,
      testMatchesFullWithinUrl1a: `${canonical}.matchesFull('.*Questionnaire.*')`,
      testMatchesFullWithinUrl2: `${canonical}.matchesFull('Task')`,
    }),
  ],
  testReplaceMatches: noFunction('replaceMatches', {
    testReplaceMatches1: "'abcdef'.replaceMatches('bcd', 'X')",
    testReplaceMatches2: "'klm'.replaceMatches('', 'x')",
    testReplaceMatches3: "'abcdef'.replaceMatches('bcd', '')",
    testReplaceMatches4: "{}.replaceMatches('bcd', 'X').empty() = true",
    testReplaceMatches5: "'abc'.replaceMatches({}, 'X').empty() = true",
    testReplaceMatches6: "'abc'.replaceMatches('b', {}).empty() = true",
    testReplaceMatches7: "'klm789'.replaceMatches('[0-9]', '#')",
  }),
  testReplace: noFunction('replace', {
    testReplace1: "'abcdef'.replace('bcd', 'X')",
    testReplace2: "'klm'.replace('', 'x')",
    testReplace3: "'abcdef'.replace('bcd', '')",
    testReplace4: "{}.replace('bcd', 'X').empty() = true",
    testReplace5: "'abc'.replace({}, 'X').empty() = true",
    testReplace6: "'abc'.replace('b', {}).empty() = true",
  }),
  testLength: noFunction('length', {
    testLength1: "'abcdef'.length() = 6",
    testLength2: "'abcde'.length() = 5",
    testLength3: "'abc'.length() = 3",
    testLength4: "'a'.length() = 1",
    testLength5: "''.length() = 0",
    testLength6: '{}.length().empty() = true',
  }),
  testEncodeDecode: [
    ...noFunction('encode', {
      testEncodeBase64A: "'word'.encode('base64')",
      testEncodeHex: "'word'.encode('hex')",
      testEncodeBase64B: "'a?b>c~d'.encode('base64')",
      testEncodeUrlBase64: "'a?b>c~d'.encode('urlbase64')",
    }),
    ...noFunction('decode', {
      testDecodeBase64A: "'d29yZA=='.decode('base64')",
      testDecodeHex: "'776f7264'.decode('hex')",
      testDecodeBase64B: "'YT9iPmN+ZA=='.decode('base64')",
      testDecodeUrlBase64: "'YT9iPmN-ZA=='.decode('urlbase64')",
    }),
  ],
  testEscapeUnescape: [
    ...noFunction('escape', { testEscapeHtml: "'\"3<4\"'.escape('html')", testEscapeJson: "'\"3<4\"'.escape('json')" }),
    ...noFunction('unescape', {
      testUnescapeHtml: "'&quot;3&lt;4&quot;'.unescape('html')",
      testUnescapeJson: "'\\\"3<4\\\"'.unescape('json')",
    }),
  ],
  testTrim: noFunction('trim', {
    testTrim1: "'abcdef'.trim().length() = 6",
    testTrim2: "'abc def'.trim().length() = 7",
    testTrim3: "' abcdef '.trim().length() = 6",
    testTrim4: "'  '.trim().length() = 0",
    testTrim5: '{}.trim().empty() = true',
    testTrim6: "'      '.trim() = ''",
  }),
  testSplit: noFunction('split', {
    testSplit1: "'Nora,Lee,Nono,Nora,Lee'.split(',').count() = 5",
    testSplit2: "'K,,M'.split(',').join(',') = 'K,,M'",
    testSplit3: `${stops}.split('<>').trace('parts').count() = 9`,
    testSplit4: `${stops}.split('<>').join('<>')`,
  }),
  testJoin: noFunction('join', { testJoin: "name.given.join(',')" }),
};
