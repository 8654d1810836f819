/**
 * Words around a drug's name that are not part of the name: order states, alerts, formulary flags, counts, list marks,
 * directions. No drug name begins or ends with any of these phrases. They come from public bug reports and from the
 * charts that test this project.
 */

export interface Marked {
  readonly text: string;
  /** Words that question the order: `DISCONTINUED`, `on hold until 3/1`. */
  readonly states: readonly string[];
  /** Remarks for the user that do not question the order: `NON-FORMULARY`, `RFL`. */
  readonly flags: readonly string[];
  /** Other words in brackets before the drug: `AZX` in "[AZX] tofacitinib". */
  readonly inFront: readonly string[];
}

type Kind = 'state' | 'flag' | 'decoration';

const phrases: Readonly<Record<Kind, string>> = {
  state:
    'discontinued?|d/c’?d?|dc’?d|cancell?ed|cancel|voided|void|expired|inactivated|inactive|not active|' +
    'on hold|hold|held|suspended|stopped|stop|completed|do not (?:fill|dispense|give|use|take|order|send|refill)|' +
    'not (?:taking|filled|ordered)|no longer (?:taking|needed|active)|duplicate(?: order| therapy| rx)?|dup|' +
    'entered in error|deleted|pending(?: approval| review| signature)?|pended|unsigned|draft|' +
    '(?:office )?samples?(?: given| only| dispensed)?|(?:patient|pt)(?: is)? (?:supplied|reported)|' +
    '(?:patient|pt)’?s? own(?: supply| meds?| medication)?|own (?:supply|meds?|medication)|self reported|' +
    'not (?:on )?formulary|non formulary|nonformulary|off formulary|historical(?: med| medication)?|replaced|' +
    'superseded|declined|refused|test order|' +
    'recalled|out of stock|(?:on )?(?:backorder|back order)(?:ed)?|not sent|reported',
  flag:
    'nf|n/f|home (?:meds?|medications?)|take home|per (?:pt|patient)|refills?(?: request| needed| too soon)?|' +
    'rfl|rf|renewal|renew|reorder',
  decoration:
    '(?:high )?alert(?: medication| med| drug)?|high risk(?: medication| med| drug)?|lasa|' +
    'look alike(?: sound alike|/sound alike)?|sound alike|hazardous(?: drug| medication| med)?|haz|cytotoxic|' +
    'chemotherapy|' +
    'chemo|biohazard|controlled(?: substance| drug)?|c(?:ii|iii|iv)|schedule (?:[2-5]|ii|iii|iv|v)|rems|' +
    '(?:black box|boxed)(?: warning)?|bbw|warning|caution|attention|important|(?:keep )?refrigerated?|' +
    'protect from light|do not (?:crush|shake|freeze|refrigerate|substitute)|shake well|rx(?: only)?|e-?rx|' +
    'otc|prn|stat|urgent|routine|asap|brand(?: name)?(?: only)?|' +
    'brand (?:medically )?necessary|daw(?:\\d| \\d)?|dispense as written|no substitutions?|generic(?: ok)?|340b|' +
    'specialty(?: pharmacy| drug| medication| med)?|limited distribution|ldd|mail order|' +
    '(?:needs )?(?:pa|prior auth(?:orization)?)(?: required| needed| approved)?|ql|quantity limits?|step therapy|' +
    'formulary|non preferred|preferred|restricted|new (?:rx|start|order|prescription|med|medication)|' +
    'unit dose|preservative free|latex free|sugar free|dye free|tier \\d|maintenance med(?:ication)?',
};

// Some drug names begin or end with these words, so they count only next to a sign such as a colon.
const between: Readonly<Record<Kind, string>> = {
  state: 'old|error|history|hx|dc|test',
  flag: 'continued?|compound(?:ed)?(?: (?:drug|med|medication|rx|cream|prescription))?',
  decoration:
    'new|active|current|home|order|drug|med|medication|prescription|note|st|pf|ud|c-?[2-5v]|al|sp|free|status',
};

const blank = String.raw`[\s-]+`;
const pattern = (list: string): string => list.replaceAll(' ', blank).replaceAll('’', "['’]");
const kinds: readonly Kind[] = ['state', 'flag', 'decoration'];
const anywhere = kinds.map((kind) => `(?<${kind}>${pattern(phrases[kind])})`).join('|');
const apart = kinds.map((kind) => `(?<${kind}>${pattern(`${phrases[kind]}|${between[kind]}`)})`).join('|');

const sign = String.raw`[\s:;,.!*•·>~|"“”–—-]`;
const atStart = new RegExp(String.raw`^${sign}*(?:${anywhere})(?=$|[\s:;,.!*|>)\]/]|\s*[–—-]\s)${sign}*`, 'iu');
const atStartApart = new RegExp(String.raw`^${sign}*(?:${apart})(?::\s*|\s*[;!*|>–—]+\s*|\s+-+\s*|-+\s+)`, 'iu');
const atEnd = new RegExp(String.raw`(?:\s+[–—-]*\s*|[:;,.!*|>–—]+\s*)(?:${anywhere})${date()}${sign}*$`, 'iu');
const atEndApart = new RegExp(String.raw`(?:\s*[:;,!*|>–—]\s*|\s+-+\s*)(?:${apart})${date()}${sign}*$`, 'iu');
const remark = new RegExp(
  String.raw`(?:\s*[;,!*|>–—(]\s*|\s+-+\s*)(?<state>${pattern(phrases.state)})(?![\p{L}\d])[^()[\]]{0,80}[)\]]?$`,
  'iu',
);
const whole = new RegExp(String.raw`^${sign}*(?:${apart})(?<more>[\s\S]*)$`, 'iu');
// Long words that no drug name contains, so they count anywhere in the text.
const inside =
  /(?<![\p{L}\d-])(?<state>discontinued|cancell?ed|expired|inactivated|do not (?:fill|dispense))(?![\p{L}\d-])/iu;

function date(): string {
  return String.raw`(?:\s*(?:on|by|until|since|as of|at)?\s*\d{1,4}[/.-]\d{1,2}(?:[/.-]\d{2,4})?)?`;
}

const directions = new RegExp(
  String.raw`[\s,;.]+(?:sig:?|take|inject|apply|give|inhale|instill|chew|dissolve|place)\s[\s\S]*$|` +
    String.raw`[\s,;.]+insert\s(?=\d|one|two|into|vagina|rect)[\s\S]*$|` +
    String.raw`[\s,;]+(?:(?<=\d[\s\S]{0,300})max(?=[\s:.]*\d|\s+(?:daily|dose|of|per|total))|not to exceed)\b[\s\S]*$`,
  'i',
);

/** Whether a single word is an order mark: `DC`, `old`, `test`. */
export function isMarkWord(word: string): boolean {
  return whole.exec(word)?.groups?.more === '';
}

const longest = 500;

/**
 * Removes the words around a drug from its text.
 *
 * @example withoutMarks('DISCONTINUED - #60 tofacitinib 5 mg tablet') // { text: 'tofacitinib 5 mg tablet', states:
 * ['DISCONTINUED'], ... }
 */
export function withoutMarks(text: string): Marked {
  if (text.length > longest || /^\{.*\bPack\b/.test(text) || !mayBeMarked.test(text))
    return { text, states: [], flags: [], inFront: [] };
  const taking = new Taking(text.replace(directions, ''));
  taking.all();
  return taking.marked();
}

// A text without marks begins with a letter and has no word of the lists.
const mayBeMarked = new RegExp(
  String.raw`^[^\p{L}\d]|^\d|^\p{L}[.)]\s|#|[[<]|\(|x\s?\d+\s*\)?$|(?<![\p{L}\d])(?:${anywhere}|` +
    String.raw`${kinds.map((kind) => between[kind]).join('|')}|supply|days?|start\w*|begun|begin|ordered|filled|` +
    String.raw`updated|sig|take|inject|apply|give|inhale|instill|chew|dissolve|place|insert|max|not|qty|quantity|` +
    String.raw`disp|dispense|no)(?![\p{L}\d])`.replaceAll(/\?<(?:state|flag|decoration)>/g, '?:'),
  'iu',
);

class Taking {
  private readonly found: Record<Kind, string[]> = { state: [], flag: [], decoration: [] };
  private readonly inFront: string[] = [];

  constructor(private text: string) {}

  all(): void {
    for (let round = 0; round < mostMarks; round += 1) {
      const before = this.text;
      this.unwrap();
      this.groups();
      this.counts();
      for (const one of [atStartApart, atStart, atEndApart, atEnd, remark, inside]) this.phrase(one);
      this.bracketInFront();
      if (this.text === before) break;
    }
  }

  marked(): Marked {
    const { state, flag } = this.found;
    return { text: this.text, states: state, flags: flag, inFront: this.inFront };
  }

  // Removes quotes, list marks and brackets around the whole text, as in "(tofacitinib 5 mg tablet)".
  private unwrap(): void {
    this.text = this.text.trim().replace(/^[*•·>~"“”]+\s*|^[–—-]+\s+|[*"“”]+$/gu, '');
    const [, inner] = /^\(([^()]*)\)$/.exec(this.text) ?? /^"([^"]*)"$/.exec(this.text) ?? [];
    if (inner !== undefined) this.text = inner.trim();
  }

  private groups(): void {
    this.text = this.text.replace(/\s*[[(<{]([^[\](){}<>]{1,80})[\])>}]/g, (group, inner: string) =>
      this.isMark(inner) ? ' ' : group,
    );
    this.text = this.text.replace(/\s{2,}/g, ' ').trim();
  }

  private isMark(inner: string): boolean {
    const parts = inner.split(/\s*[,;/|]\s*/);
    const read = [inner, ...parts].map((part) => whole.exec(part));
    const own = read[0];
    if (own !== null && own !== undefined && this.isOf(own)) return this.take(own, inner);
    const each = read.slice(1);
    if (parts.length < 2 || !each.every((one) => one !== null && this.isOf(one))) return false;
    for (const [index, one] of each.entries()) if (one !== null) this.take(one, parts[index] ?? '');
    return true;
  }

  // A remark may follow a state, as in "HOLD for surgery".
  private isOf({ groups }: RegExpExecArray): boolean {
    const more = groups?.more ?? '';
    const isRest = groups?.state !== undefined && /^[\s:;,-]/.test(more) && !/\d\s?(?:mg|mcg|ml|units?)\b/i.test(more);
    return new RegExp(`^${date()}${sign}*$`, 'iu').test(more) || isRest;
  }

  private take({ groups }: RegExpExecArray, words: string): boolean {
    for (const kind of kinds) if (groups?.[kind] !== undefined) this.found[kind].push(words.trim());
    return true;
  }

  private phrase(one: RegExp): void {
    const found = one.exec(this.text);
    if (found === null) return;
    const words = found[0].replace(/^[\s:;,.!*|>(–—-]+|[\s:;,.!*|>)\]–—-]+$/gu, '');
    const rest = `${this.text.slice(0, found.index)} ${this.text.slice(found.index + found[0].length)}`;
    if (one === remark && /\d\s?(?:mg|mcg|ml|units?)\b/i.test(words)) return;
    this.take(found, words);
    this.text = rest.replace(/\s{2,}/g, ' ').trim();
  }

  private bracketInFront(): void {
    const [all, square, round] = /^(?:\[([^[\]]{1,80})\]|\(([^()]{1,80})\))\s*(?=\S)/.exec(this.text) ?? [];
    const inner = square ?? round;
    if (all === undefined || inner === undefined) return;
    this.inFront.push(inner.trim());
    this.text = this.text.slice(all.length);
  }

  private counts(): void {
    for (const count of counts) this.text = this.text.replace(count, '').trim();
    const [all, next = ''] = /^\d{1,4}\s+(?=([\p{L}-]{3,}))/u.exec(this.text) ?? [];
    if (all !== undefined && !isCounted(next)) this.text = this.text.slice(all.length);
  }
}

const mostMarks = 6;

const pieces =
  'tablets?|tabs?|capsules?|caps?|pens?|syringes?|vials?|patches|count|ct|each|ea|doses?|units?|ml|grams?|g';
const counts: readonly RegExp[] = [
  // matches "1. ", "2) " and "a) "
  /^\(?(?:\d{1,2}|[a-z])[.)]\s+(?=\p{L})/iu,
  /^\d{1,2}[/-]\d{1,2}[/-]\d{2,4}[\s:,-]+(?=\p{L})/u,
  /^#\s*\d{1,4}\s+(?=\p{L})/u,
  /^#\d{1,4}\s*[:.)-]\s*(?=\p{L})/u,
  /^\d{1,4}\s*[x×]\s+(?=\p{L})/iu,
  /^(?:qty|quantity|disp|dispense)\.?:?\s*#?\d{1,4}\s+(?:of\s+)?(?=\p{L})/iu,
  /^\d{1,3}\s+(?:tablets?|tabs?|capsules?|caps?|pens?|syringes?|vials?|patches|boxes|box|kits?)\s+of\s+/iu,
  new RegExp(
    String.raw`[\s,;(-]+(?:(?:qty|quantity|disp|dispense|no)\.?:?\s*#?\s*\d{1,4}|` +
      String.raw`#\s*\d{2,4})(?:\s*(?:${pieces}))?\)?[\s.,;]*$`,
    'iu',
  ),
  new RegExp(String.raw`[\s,;(]+[x×]\s?\d{1,4}(?:\s*(?:${pieces}|days?))?\)?[\s.,;]*$`, 'iu'),
  /[\s,;(-]+\d{1,3}[ -]days?(?: supply)?\)?$/iu,
  new RegExp(
    String.raw`[\s,;(-]+(?:start(?:ed|s|ing)?|begun|begin|ordered|filled|last filled|updated)(?: on| date)?:? ` +
      String.raw`\d{1,4}[/-]\d{1,2}(?:[/-]\d{2,4})?\)?$`,
    'iu',
  ),
  /[\s,;(]+(?:with |w\/ ?)?(?:refills?|rfl?):? ?\d{1,2}\)?$/iu,
  /[\s,;(]+(?:with |w\/ ?)?\d{1,2} refills?\)?$/iu,
];

// The words after a number that belong to the drug, as in "24 HR", "0.4 ML" and "2 pens".
function isCounted(word: string): boolean {
  return (
    /^(?:hrs?|hours?|days?|weeks?|months?|bead|mls?|mgs?|mcg|gm?s?|grams?|units?|unt|actuat|in|count|ct|meq|iu)$/i.test(
      word,
    ) || new RegExp(`^(?:${pieces})$`, 'i').test(word)
  );
}
