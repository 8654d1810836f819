// The review saves itself: what is chosen at once, what is typed while it is typed.
const wait = 1000;
const again = 5000;
const look = 15_000;
/** How long a save may take before it is tried again. What a button asks for may wait for a slow EHR. */
const patience = 20_000;

let timer;
let isDirty = false;
/** The save whose answer has not come, and the look: htmx's context of each. */
let saving;
let looking;
/** The last save had no answer: what it sent may have been stored all the same. */
let isUnanswered = false;
/** What each control held when a request was made, to tell what a person changed until its answer came. */
const sent = new WeakMap();
/** What was changed while a save was under way, as it stood when the answer came. */
let meanwhile = new Map();
/** What had the focus when the answer of a save came: in which question or section, and what of it was selected. */
let focused;
/** Answered questions that were folded once: a person who unfolds one keeps it open. */
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

// An answer can bring a control anew: it is the same question as before.
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
  // htmx has not heard it
  if (saving === undefined) saveAgain();
}

function saveAgain() {
  isDirty = true;
  timer ??= setTimeout(save, again);
}

document.addEventListener('input', ({ target }) => {
  if (target.form?.id !== 'review') return;
  isDirty = true;
  // words that a code or a pharmacy is searched by are no answer: what is chosen comes as a change
  if (target.dataset.find === undefined) timer ??= setTimeout(save, wait);
});
document.addEventListener('change', ({ target }) => {
  if (target.form?.id !== 'review') return;
  isDirty = true;
  if (saving !== undefined) return;
  if (target.type !== 'date' || target !== document.activeElement) return save();
  // each digit of a year makes a date that is whole
  clearTimeout(timer);
  timer = setTimeout(save, wait);
});

document.addEventListener('htmx:config:request', ({ detail: { ctx } }) => {
  if (!['review', 'look'].includes(ctx.sourceElement.id)) return;
  sent.set(ctx, new Map(controls().map((control) => [nameOf(control), held(control)])));
  if (ctx.sourceElement.id === 'look') return;
  if (ctx.sourceEvent?.type === 'autosave') ctx.request.timeout = patience;
  // what this page's own save has stored, or may have
  if (saving !== undefined || isUnanswered) ctx.request.body.set('following', '1');
});

document.addEventListener('htmx:before:request', ({ detail: { ctx } }) => {
  const { id } = ctx.sourceElement;
  if (id === 'look') looking = ctx;
  if (id !== 'review') return;
  // its answer would be older than the save's, which tells a colleague's changes as well
  looking?.request.abort();
  saving = ctx;
});

// By the context: the element that asked may be gone once its answer is in the page.
const isOfReview = ({ detail: { ctx } }) => ctx !== undefined && (ctx === saving || ctx === looking);

// The swap writes the server's value into each field without the focus, also where it was changed meanwhile.
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

// The server is away, or the session is over: the first is tried again, the second has a page of its own.
document.addEventListener('htmx:before:response', (event) => {
  const status = event.detail.ctx.response.status;
  if (isOfReview(event) && status >= 400 && status < 500 && status !== 429) location.reload();
});

// What was changed while a save was under way stays as it is; all else shows what the server has.
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
  // what had the focus is gone with its question
  if (document.activeElement === document.body && focused.asked !== undefined)
    goOnFrom(document.getElementById(focused.asked));
  goTo(document.getElementById('page').dataset.goTo);
});

// An answer can make a field a question, which stands elsewhere. Safari takes the focus from what is moved; another
// browser may keep it, and yet no letter goes there any more: the caret is lost, also where the field stays in its
// question.
function keepTyping() {
  const { control, in: place, start, end } = focused;
  const isLost = document.activeElement === document.body && form().contains(control);
  if (control !== document.activeElement && !isLost) return;
  if (!isLost && control.closest('details') === place && control.selectionStart === start) return;
  control.blur();
  control.focus({ preventScroll: true });
  if (typeof start === 'number') control.setSelectionRange(start, end);
}

/** Folds the questions that were answered, but never the one in which a person is. */
function foldAnswered() {
  for (const one of document.querySelectorAll('details.asked.done')) {
    if (folded.has(one.id) || one.contains(document.activeElement)) continue;
    folded.add(one.id);
    one.open = false;
  }
}
// After a click has found its target and a key its field: what folds moves what is below it.
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

// A colleague's change is looked for while nobody works here, so that it is told without a save.
setInterval(() => {
  if (document.visibilityState !== 'visible' || saving || looking || isDirty) return;
  document.getElementById('look')?.dispatchEvent(new CustomEvent('look'));
}, look);

// Who leaves the page takes nothing along that is not saved.
window.addEventListener('pagehide', () => {
  if (!isDirty && saving === undefined) return;
  const body = new URLSearchParams(new FormData(form()));
  if (saving !== undefined || isUnanswered) body.set('following', '1');
  // nobody is there to be told that it failed
  // not `form().action`: its buttons have that name
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
  // the verdict is there to be read
  const isItself = place.matches('input, select, textarea, button, .verdict');
  (isItself ? place : (chosen ?? first ?? place)).focus();
  foldAnswered();
  place.scrollIntoView({ block: 'nearest' });
}

/** To the question behind one that was just answered; to its own line where none is open there. */
function goOnFrom(question) {
  const isBehind = (one) => question?.compareDocumentPosition(one) & Node.DOCUMENT_POSITION_FOLLOWING;
  const next = [...document.querySelectorAll('.asked:not(.done)')].find(isBehind);
  if (next !== undefined && question.matches('.done')) focusIn(next);
  else question?.querySelector('summary')?.focus();
}

/** The question after the one that has the focus; from the last one back to the first. */
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
