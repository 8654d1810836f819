// The review page saves by itself: choices at once, text while a person types.
const wait = 1000;
const again = 5000;
const look = 15_000;
/**
 * How long an automatic save may take before it is retried. A save by a button has no such limit, because the EHR may
 * be slow.
 */
const patience = 20_000;

let timer;
let isDirty = false;
/** htmx's contexts of the pending save and the pending poll. */
let saving;
let looking;
/** The last save got no answer, although the server may have stored it. */
let isUnanswered = false;
/**
 * The value of each control when a request was sent. A control that differs when the answer arrives was changed by a
 * person.
 */
const sent = new WeakMap();
/** The values that a person changed while a save was pending. */
let meanwhile = new Map();
/** The control that had the focus when the answer arrived, with its question or section and its text selection. */
let focused;
/** Answered questions that the script has folded. A person may unfold them again, so they are not folded twice. */
const folded = new Set();

const form = () => document.getElementById('review');

function controls() {
  return [...form().elements].filter(({ type }) => !['hidden', 'submit', 'fieldset'].includes(type));
}

function held(control) {
  return control.type === 'checkbox' || control.type === 'radio' ? control.checked : control.value;
}

function written(control) {
  if (control.type === 'checkbox' || control.type === 'radio') return control.defaultChecked;
  if (control.tagName !== 'SELECT') return control.defaultValue;
  return (control.querySelector('option[selected]') ?? control.options[0])?.value ?? '';
}

// The server's answer may contain a new element for the same control, so controls are compared by name.
function nameOf(control) {
  return control.id === '' ? `${control.name} ${control.type === 'radio' ? control.value : ''}` : control.id;
}

function put(control, value) {
  if (typeof value === 'boolean') control.checked = value;
  else control.value = value;
}

function save() {
  clearTimeout(timer);
  timer = undefined;
  if (saving !== undefined) return;
  isDirty = false;
  form().dispatchEvent(new CustomEvent('autosave'));
  // htmx did not handle the event, so nothing is being saved.
  if (saving === undefined) saveAgain();
}

function saveAgain() {
  isDirty = true;
  timer ??= setTimeout(save, again);
}

document.addEventListener('input', ({ target }) => {
  if (target.form?.id !== 'review') return;
  isDirty = true;
  // Text in a search field is not an answer. Choosing a result dispatches a change event.
  if (target.dataset.find === undefined) timer ??= setTimeout(save, wait);
});
document.addEventListener('change', ({ target }) => {
  if (target.form?.id !== 'review') return;
  isDirty = true;
  if (saving !== undefined) return;
  if (target.type !== 'date' || target !== document.activeElement) return save();
  // A date field dispatches a change event after each digit of the year.
  clearTimeout(timer);
  timer = setTimeout(save, wait);
});

document.addEventListener('htmx:config:request', ({ detail: { ctx } }) => {
  if (!['review', 'look'].includes(ctx.sourceElement.id)) return;
  sent.set(ctx, new Map(controls().map((control) => [nameOf(control), held(control)])));
  if (ctx.sourceElement.id === 'look') return;
  if (ctx.sourceEvent?.type === 'autosave') ctx.request.timeout = patience;
  // Tells the server that changed entries may come from this page's own previous save.
  if (saving !== undefined || isUnanswered) ctx.request.body.set('following', '1');
});

document.addEventListener('htmx:before:request', ({ detail: { ctx } }) => {
  const { id } = ctx.sourceElement;
  if (id === 'look') looking = ctx;
  if (id !== 'review') return;
  // The poll's answer would be older than the save's answer, which also has the changes by colleagues.
  looking?.request.abort();
  saving = ctx;
});

// Contexts are compared, because the element that sent the request may be gone after the swap.
const isOfReview = ({ detail: { ctx } }) => ctx !== undefined && (ctx === saving || ctx === looking);

// The swap overwrites every field without the focus, so values that a person has changed are kept first.
document.addEventListener('htmx:before:swap', (event) => {
  if (!isOfReview(event)) return;
  const then = sent.get(event.detail.ctx);
  const isTouched = (control) => then.has(nameOf(control)) && held(control) !== then.get(nameOf(control));
  const control = document.activeElement;
  const { selectionStart: start, selectionEnd: end } = control;
  focused = { control, in: control.closest('details'), asked: control.closest('details.asked')?.id, start, end };
  meanwhile = new Map(
    controls()
      .filter(isTouched)
      .map((control) => [nameOf(control), held(control)]),
  );
});

// If the session has ended, the page reloads to say so. If the server is unavailable, the save is retried.
document.addEventListener('htmx:before:response', (event) => {
  const status = event.detail.ctx.response.status;
  if (isOfReview(event) && status >= 400 && status < 500 && status !== 429) location.reload();
});

// Values that a person changed during the save stay. All other controls show the server's values.
document.addEventListener('htmx:after:swap', (event) => {
  if (!isOfReview(event)) return;
  for (const control of controls()) {
    if (control === document.activeElement) continue;
    const value = meanwhile.has(nameOf(control)) ? meanwhile.get(nameOf(control)) : written(control);
    if (held(control) !== value) put(control, value);
  }
  const at = document.getElementById('saved-at');
  if (at !== null && event.detail.ctx === saving)
    at.textContent = `Saved ${new Date().toLocaleTimeString('en-US', { hour: 'numeric', minute: '2-digit' })}.`;
  for (const one of document.querySelectorAll('details.asked:not(.done)')) {
    folded.delete(one.id);
    one.open = true;
  }
  keepTyping();
  foldAnswered();
  // The control with the focus was removed together with its question.
  if (document.activeElement === document.body && focused.asked !== undefined)
    goOnFrom(document.getElementById(focused.asked));
  goTo(document.getElementById('page').dataset.goTo);
});

// An update can move the focused field to another place of the page. The browser may then keep the focus without the
// caret, so that typing has no effect. This can also happen if the field stays in its question.
function keepTyping() {
  const { control, in: place, start, end } = focused;
  const isLost = document.activeElement === document.body && form().contains(control);
  if (control !== document.activeElement && !isLost) return;
  if (!isLost && control.closest('details') === place && control.selectionStart === start) return;
  control.blur();
  control.focus({ preventScroll: true });
  if (typeof start === 'number') control.setSelectionRange(start, end);
}

/** Folds the answered questions, except the question with the focus. */
function foldAnswered() {
  for (const one of document.querySelectorAll('details.asked.done')) {
    if (folded.has(one.id) || one.contains(document.activeElement)) continue;
    folded.add(one.id);
    one.open = false;
  }
}
// Folding moves everything below, so it waits until a click or key has reached its target.
for (const done of ['click', 'keyup']) document.addEventListener(done, foldAnswered);

document.addEventListener('htmx:finally:request', ({ detail: { ctx } }) => {
  if (ctx === looking) looking = undefined;
  if (ctx !== saving) return;
  saving = undefined;
  const status = ctx.response?.status;
  isUnanswered = status === undefined;
  if (isUnanswered || status >= 500 || status === 429) saveAgain();
  else if (isDirty) timer ??= setTimeout(save, wait);
});

// Polls while nobody works on this page, so that changes by colleagues appear without a save.
setInterval(() => {
  if (document.visibilityState !== 'visible' || saving || looking || isDirty) return;
  document.getElementById('look')?.dispatchEvent(new CustomEvent('look'));
}, look);

// Unsaved entries are saved when a person leaves the page.
window.addEventListener('pagehide', () => {
  if (!isDirty && saving === undefined) return;
  const body = new URLSearchParams(new FormData(form()));
  if (saving !== undefined || isUnanswered) body.set('following', '1');
  // A failure cannot be shown, because the page is gone. The attribute is read because a button named `action` hides
  // the property.
  fetch(form().getAttribute('action'), { method: 'POST', body, keepalive: true }).catch(() => undefined);
});
window.addEventListener('pageshow', (event) => {
  if (event.persisted) location.reload();
});

// ---- the next question

function goTo(id) {
  const place = id === undefined ? null : document.getElementById(id);
  if (place === null) return;
  for (let fold = place.closest('details'); fold; fold = fold.parentElement?.closest('details')) fold.open = true;
  focusIn(place);
}

function focusIn(place) {
  const choice = place.closest('fieldset.readings') ?? place;
  const own = choice.querySelector('.other:has(:checked) .own input');
  const chosen = own ?? choice.querySelector('input:checked:not([type="hidden"])');
  const first = choice.querySelector('input:not([type="hidden"]), select, textarea');
  // The verdict gets the focus itself, so that a screen reader reads it.
  const isItself = place.matches('input, select, textarea, button, .verdict');
  (isItself ? place : (chosen ?? first ?? place)).focus();
  foldAnswered();
  place.scrollIntoView({ block: 'nearest' });
}

/**
 * Moves the focus from an answered question to the next open question; if there is none, to the summary line of the
 * answered question.
 */
function goOnFrom(question) {
  const isBehind = (one) => question?.compareDocumentPosition(one) & Node.DOCUMENT_POSITION_FOLLOWING;
  const next = [...document.querySelectorAll('.asked:not(.done)')].find(isBehind);
  if (next !== undefined && question.matches('.done')) focusIn(next);
  else question?.querySelector('summary')?.focus();
}

/** Moves the focus to the next open question, and from the last one to the first. */
function nextQuestion() {
  const open = [...document.querySelectorAll('.asked:not(.done)')];
  if (open.length === 0) return document.getElementById('go-on')?.focus();
  const at = document.activeElement;
  const later = open.find(
    (one) => at.compareDocumentPosition(one) & Node.DOCUMENT_POSITION_FOLLOWING && !one.contains(at),
  );
  focusIn(
    later !== undefined && at.closest('#questions') !== null
      ? later
      : (open.find((one) => !one.contains(at)) ?? open[0]),
  );
}

const keyed = { F8: nextQuestion, F9: () => document.getElementById('go-on-with-answers')?.focus() };
document.addEventListener('keydown', (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || !Object.hasOwn(keyed, event.key)) return;
  event.preventDefault();
  keyed[event.key]();
});
document.addEventListener('click', (event) => {
  if (event.target.closest('#next-question') === null) return;
  event.preventDefault();
  nextQuestion();
});
