/** Words around a drug's name that name nothing. */
export interface Decoration {
  readonly name: string;
  /**
   * `state`: the order is not to be filled as it stands, so it is asked, or is no order; `note`: what it says is no
   * part of the drug.
   */
  readonly kind: 'state' | 'note';
  readonly write: (text: string) => string;
}

/** As they were seen in public reports and medication lists (`RFL`, `[NF]`, `#60`, `340b`), and their kin. */
export const decorations: readonly Decoration[] = [
  ...[
    'DISCONTINUED - ',
    'D/C ',
    'DO NOT FILL ',
    'HOLD - ',
    'Hold: ',
    '** DUPLICATE ** ',
    'EXPIRED - ',
    'CANCELLED: ',
    'Sample - ',
    'NON-FORMULARY: ',
    '[DISCONTINUED] ',
    'STOPPED ',
    'TEST - ',
  ].map((words) => before(words, 'state')),
  ...[' (discontinued)', ' - ON HOLD', ' (DUPLICATE)', ' (Expired)', ' (non-formulary)', ' - samples given'].map(
    (words) => behind(words, 'state'),
  ),
  ...[
    '[HIGH ALERT] ',
    '#60 ',
    '1. ',
    '2) ',
    'RFL ',
    'NF ',
    '*SPECIALTY* ',
    'TAKE HOME ',
    'home med: ',
    'LOOK-ALIKE ',
    'Rx: ',
    'URGENT: ',
    '* ',
    '1 x ',
    'new start ',
    '11/20/2026 ',
    'per pt ',
    'ZZZ ',
    'LASA - ',
    '1/2 ',
    '30/30 ',
    '90d ',
    'q12h ',
    'TEST ',
    'START ',
  ].map((words) => before(words, 'note')),
  ...[
    ' #30',
    ' [NF]',
    ' [RFL]',
    ' x 60',
    ' (60 ct)',
    ' DAW',
    ' Brand medically necessary',
    ' - PA required',
    ' per pt',
    ' - new start',
    ' 340b',
    ' (started 11/20/2026)',
    ' *SPECIALTY*',
    ' - 90 day supply',
    ' [HIGH ALERT]',
    ' take home',
    ', 60 tablets',
  ].map((words) => behind(words, 'note')),
  { name: '(...)', kind: 'note', write: (text) => `(${text})` },
];

function before(words: string, kind: Decoration['kind']): Decoration {
  return { name: `${words}...`, kind, write: (text) => `${words}${text}` };
}

function behind(words: string, kind: Decoration['kind']): Decoration {
  return { name: `...${words}`, kind, write: (text) => `${text}${words}` };
}
