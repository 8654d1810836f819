/** Words in a report or result for a test that was not done. "Not detected" and "insufficient response" are results. */
const notDone = new RegExp(
  [
    String.raw`\bnot (?:\w+ )?(?:done|performed|collected|obtained|drawn|completed|run|sent|tested|available|` +
      String.raw`received|reported|carried out)\b`,
    String.raw`\b(?:cancel(?:l?ed|lation)|canceled|aborted|reject(?:ed|ion)|recollect|redraw)\b`,
    String.raw`\b(?:quantity|volume) (?:is |was )?(?:not sufficient|insufficient)\b|\bqns\b|` +
      String.raw`\binsufficient (?:specimen|sample|quantity|volume|material)\b`,
    String.raw`\b(?:specimen|sample) (?:\w+ ){0,2}(?:rejected|lost|clotted|hemolyzed|leaked|broken|mislabell?ed|` +
      'unlabell?ed|unsatisfactory|unsuitable|contaminated|insufficient|not received)\\b',
    String.raw`\b(?:hemolyzed|clotted|mislabell?ed|unlabell?ed|unsatisfactory|lost|no|wrong) ` +
      String.raw`(?:specimen|sample|tube)\b`,
    String.raw`\b(?:unable|could not|cannot|failed) (?:to )?(?:be )?` +
      '(?:perform|obtain|collect|draw|complete|process|run)',
    String.raw`\b(?:pending|to follow|in progress|no result|patient (?:refused|declined)|(?:refused|declined) by)\b`,
  ].join('|'),
  'i',
);

// Words for a test that was only requested or planned.
const planned = new RegExp(
  String.raw`\b(?:recommend(?:ed|s|ation)?|suggest(?:ed|s)?|advised?|order(?:ed)?|schedul(?:e|ed)|due|overdue|needs?|` +
    String.raw`needed|should|will|planned|please|consider|repeat|obtain|await(?:ing)?)\b`,
  'i',
);

const result = new RegExp(
  String.raw`\b(?:negative|positive|(?:non-?)?reactive|normal|abnormal|(?:not |un)?detect(?:ed|able)|immune|elevated|` +
    String.raw`indeterminate|borderline|equivocal|high|low|present|absent|no evidence)\b|\d`,
  'i',
);

/** Whether the text says that the test was not done and gives no result. */
export function saysNotDone(text: string): boolean {
  return notDone.test(text) && !partsOf(text).some((part) => !notDone.test(part) && result.test(part));
}

/**
 * The parts of a text that may state a result. Parts about tests that were not done or are only planned are left out.
 *
 * @example saidIn('HBsAg nonreactive, TB test not done.') // 'HBsAg nonreactive'
 */
export function saidIn(text: string): string {
  return partsOf(text)
    .filter((part) => !notDone.test(part) && (!planned.test(part) || result.test(part)))
    .join('. ');
}

// A sentence that has both a result and a test not done is split into clauses: "HBsAg negative, TB test not done".
function partsOf(text: string): string[] {
  return text.split(/[.;\n]+(?:\s|$)/).flatMap((sentence) => {
    const isMixed = notDone.test(sentence) && result.test(sentence.replace(notDone, ''));
    return (isMixed ? sentence.split(/,|\bbut\b|\band\b/) : [sentence]).filter((part) => part.trim() !== '');
  });
}
