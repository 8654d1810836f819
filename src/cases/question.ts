import type { ActivityEntry, PriorAuthorization } from '../core/contract/prior-authorization.ts';

/** Words that indicate a question in a note. */
const asks = new RegExp(
  [
    '\\?|\\b(please|needs?|needed|requires?|required|requests?|requested|requesting|ask(s|ed|ing)?|provide|send)\\b',
    '\\b(submit|fax|missing|clarif\\w+|confirm|attach|which|what|when|who|waiting for|awaiting)\\b',
  ].join('|'),
  'i',
);

/**
 * Words that may reveal a decision, even indirectly. A few harmless notes stay hidden because of them, but no note that
 * reveals an outcome may be shown.
 */
const mayDecide = new RegExp(
  [
    'approv|deni|deny|declin|reject|refus|determin|decision|decid|outcome|result|verdict|overturn|uph[eo]ld|appeal',
    'authoriz(ed|es|ing)|authorization (is|was|has|valid|granted|number|no\\b|#)|granted|valid (from|until|through)',
    'effective|expir|eligib|favou?rabl|unable|cannot|can.t|won.t|will not',
    'not (met|needed|required|necessary|a benefit)',
    'no (pa|prior|auth|longer|need)|does ?n.t|met (the )?criteria|criteria (are |were |is )?(not )?met|fail',
    'cover(s|ed|age|able)|exclu|formulary|benefit|paid|pay(s|ing|able)|claim|copay|can (now )?(be )?fill|filled',
    'go ahead|good to go|all set|clear(ed|s)|pass(ed|es)|success|accept|green|allow|permit|turned|complete[ds]|closed',
    'answer|final|notif|letter|granting|issued|ok(ay)?\\b|yes\\b',
  ].join('|'),
  'i',
);

/** Phrases of clinical questions that would otherwise be mistaken for a decision. */
const clinical =
  /\b(lab|test|imaging|biopsy|hba1c|a1c) results?\b|\btried and failed\b|\bfailed (drugs?|therap(y|ies))\b/gi;

/**
 * The question to the practice, from the note of a call to the payer; undefined for every other activity, and for a
 * note that may reveal an outcome.
 */
export function questionIn({ type, details }: ActivityEntry): string | undefined {
  const notes = details?.notes?.trim();
  if (type !== 'follow_up_call' || notes === undefined || notes === '') return undefined;
  return asksOnly(notes) ? notes : undefined;
}

/** The questions in a record's notes of calls, the oldest first. */
export function questionsIn(record: PriorAuthorization | undefined): { text: string; entry: ActivityEntry }[] {
  return (record?.activity_log ?? []).flatMap((entry) => {
    const text = questionIn(entry);
    return text === undefined ? [] : [{ text, entry }];
  });
}

/** Whether a text asks for something, and nothing in it may reveal a decision. */
export function asksOnly(notes: string): boolean {
  // Other spaces, hyphens and invisible characters must not hide a word from the patterns.
  const text = notes
    .normalize('NFKC')
    .replaceAll(/[\p{Cf}\u00ad]/gu, '')
    .replaceAll(/[\s_-]+/g, ' ');
  return asks.test(text) && !mayDecide.test(text.replaceAll(clinical, ''));
}
