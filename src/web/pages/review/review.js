// The review saves itself: what is chosen at once, what is typed while it is typed.
const wait = 1000;
const again = 5000;
const look = 15_000;
/** How long a save may take before it is tried again. What a button asks for may wait for a slow EHR. */
const patience = 20_000;

let timer;
let isBusy = false;
let isDirty = false;
/** A save has left, and its answer has not come. */
let isUnderWay = false;
/** What each control held when the last save left, to tell what a person changed meanwhile. */
let sent = new Map();
/** What was changed while a save was under way, as it stood when the answer came. */
let meanwhile = new Map();
/** The question that had the focus when the answer of a save came. */
let left;
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
  if (isBusy) return;
  isBusy = true;
  isDirty = false;
  form().dispatchEvent(new CustomEvent('autosave'));
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
  if (isBusy) return;
  if (target.type !== 'date' || target !== document.activeElement) return save();
  // each digit of a year makes a date that is whole
  clearTimeout(timer);
  timer = setTimeout(save, wait);
});

const isOfReview = ({ detail }) => ['review', 'look'].includes(detail.ctx?.sourceElement?.id);

document.addEventListener('htmx:config:request', ({ detail }) => {
  if (detail.ctx.sourceEvent?.type === 'autosave') detail.ctx.request.timeout = patience;
  // what the save under way stores is this page's own
  if (isUnderWay && detail.ctx.sourceElement.id === 'review') detail.ctx.request.body.set('following', '1');
});

document.addEventListener('htmx:before:request', (event) => {
  if (!isOfReview(event)) return;
  isBusy = true;
  isUnderWay = event.detail.ctx.sourceElement.id === 'review';
  sent = new Map(controls().map((control) => [nameOf(control), held(control)]));
});

// The swap writes the server's value into each field without the focus, also where it was changed meanwhile.
document.addEventListener('htmx:before:swap', (event) => {
  if (!isOfReview(event)) return;
  const isTouched = (control) => sent.has(nameOf(control)) && held(control) !== sent.get(nameOf(control));
  left = document.activeElement?.closest('details.asked')?.id;
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
  if (at !== null && event.detail.ctx.sourceElement.id === 'review')
    at.textContent = `Saved ${new Date().toLocaleTimeString('en-US', { hour: 'numeric', minute: '2-digit' })}.`;
  for (const one of document.querySelectorAll('details.asked:not(.done)')) {
    folded.delete(one.id);
    one.open = true;
  }
  foldAnswered();
  // a button that answered is gone with its question
  if (document.activeElement === document.body && left !== undefined)
    document.getElementById(left)?.querySelector('summary')?.focus();
  goTo(document.getElementById('page').dataset.goTo);
});

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

document.addEventListener('htmx:finally:request', (event) => {
  if (!isOfReview(event)) return;
  isBusy = false;
  isUnderWay = false;
  const status = event.detail.ctx.response?.status;
  const isLook = event.detail.ctx.sourceElement.id === 'look';
  if (!isLook && (status === undefined || status >= 500 || status === 429)) {
    isDirty = true;
    timer ??= setTimeout(save, again);
  } else if (isDirty) timer ??= setTimeout(save, wait);
});

// A colleague's change is looked for while nobody works here, so that it is told without a save.
setInterval(() => {
  if (document.visibilityState !== 'visible' || isBusy || isDirty) return;
  document.getElementById('look')?.dispatchEvent(new CustomEvent('look'));
}, look);

// Who leaves the page takes nothing along that is not saved.
window.addEventListener('pagehide', () => {
  if (!isDirty && !isBusy) return;
  const body = new URLSearchParams(new FormData(form()));
  // what the save under way stores is this page's own
  if (isBusy) body.set('following', '1');
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

document.addEventListener('keydown', (event) => {
  if (event.key !== 'F8' || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  nextQuestion();
});
document.addEventListener('click', (event) => {
  if (event.target.closest('#next-question') === null) return;
  event.preventDefault();
  nextQuestion();
});
