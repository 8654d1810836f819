export const common = {
  app: 'Prior authorization',
  orders: 'Orders',
  endSession: 'End session',
  signedInAs: 'Signed in:',
  noName: 'Your EHR did not give your name',
  skip: 'Skip to the content',
  edit: 'Edit',
  add: 'Add',
  change: 'Change',
  show: 'Show',
  hide: 'Hide',
  preview: 'Preview',
  itSupport: 'For IT support',
  required: '(required)',
  session: {
    title: 'Your session is about to end',
    saved: 'Everything on this page is saved.',
    why: 'Stay signed in to go on.',
    last: 'After the session ends, open this app again from the patient’s chart.',
    stay: 'Stay signed in',
  },
} as const;

/** Shown before the buttons for likely answers. */
export const likelyWords = 'Likely';

/** `1 warning`, `2 warnings`. */
export function plural(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`;
}

export function sentence(text: string): string {
  return `${capitalized(text)}${/[.!?]$/.test(text) ? '' : '.'}`;
}

export function capitalized(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
