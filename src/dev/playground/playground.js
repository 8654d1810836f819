// The page also works with plain links. This script shows a value and its source together, without a jump.
const playground = document.querySelector('.playground');
const resources = playground?.querySelector('.resources');
const status = document.getElementById('lit');

const fields = [...(playground?.querySelectorAll('.field-line') ?? [])];
const elementsOf = new Map(
  fields.map((field) => [field, field.dataset.from.split(' ').flatMap((id) => document.getElementById(id) ?? [])]),
);
const fieldsOf = new Map();
for (const [field, elements] of elementsOf)
  for (const element of elements) fieldsOf.set(element, [...(fieldsOf.get(element) ?? []), field]);

let opened = [];

function clear() {
  for (const line of playground.querySelectorAll('.lit')) line.classList.remove('lit');
  for (const link of playground.querySelectorAll('[aria-current]')) link.removeAttribute('aria-current');
  for (const why of opened) why.open = false;
  opened = [];
}

function light(lit, places) {
  clear();
  for (const line of [...lit, ...places]) line.classList.add('lit');
  for (const field of lit) {
    field.querySelector(':scope > .row > .pick')?.setAttribute('aria-current', 'true');
    const why = field.querySelector(':scope > .why');
    if (why !== null && !why.open && lit.length < 4) {
      why.open = true;
      opened.push(why);
    }
  }
  for (const place of places) {
    const item = place.closest('.resource-item');
    if (item !== null) item.open = true;
    for (const link of place.querySelectorAll(':scope > .row > .use')) link.setAttribute('aria-current', 'true');
  }
}

const isStill = matchMedia('(prefers-reduced-motion: reduce)');

/** Scrolls only the line's pane if panes scroll separately, else the page. */
function reveal(line) {
  const pane = line.closest('.pane');
  const behavior = isStill.matches ? 'auto' : 'smooth';
  if (getComputedStyle(pane).overflowY === 'visible') {
    line.scrollIntoView({ block: 'center', behavior });
    return;
  }
  const [box, own] = [pane.getBoundingClientRect(), line.getBoundingClientRect()];
  const bottom = Math.min(box.bottom, innerHeight);
  const isSeen = own.top >= box.top + 40 && own.top + Math.min(own.height, 60) <= bottom;
  if (!isSeen) pane.scrollTo({ top: pane.scrollTop + own.top - box.top - (bottom - box.top) / 3, behavior });
}

function announce(text) {
  status.textContent = text;
}

function showField(field) {
  const places = elementsOf.get(field) ?? [];
  light([field], places);
  const kind = field.querySelector(':scope > .why > summary')?.firstChild?.textContent ?? '';
  if (places.length > 0) {
    reveal(places[0]);
    announce(`${field.dataset.target} was read from ${places.map((place) => place.dataset.place).join(' and ')}.`);
  } else if (field.classList.contains('missing')) announce(`${field.dataset.target} is missing.`);
  else announce(`${field.dataset.target} was read from no element of the bundle${kind === '' ? '' : `: ${kind}`}.`);
}

function showElement(element) {
  const inside = [element, ...element.querySelectorAll('.element')].filter((one) => fieldsOf.has(one));
  const made = [...new Set(inside.flatMap((one) => fieldsOf.get(one)))];
  light(made, inside.length > 0 ? inside : [element]);
  if (made.length > 0) {
    reveal(made[0]);
    announce(`${element.dataset.place} became ${made.map((field) => field.dataset.target).join(', ')}.`);
  } else {
    const reason =
      element.closest('.unread')?.querySelector(':scope > .row > .why-unread, :scope > .hint')?.textContent ?? '';
    announce(`Nothing of the request came from ${element.dataset.place}${reason === '' ? '' : `: ${reason}`}.`);
  }
}

function onClick(event) {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
  const { target } = event;
  const link = target.closest('a[href^="#"]');
  if (link?.classList.contains('use')) {
    event.preventDefault();
    const field = document.getElementById(link.hash.slice(1));
    showField(field);
    reveal(field);
    return;
  }
  if (link?.closest('.gaps')) {
    event.preventDefault();
    const field = document.getElementById(link.hash.slice(1));
    showField(field);
    reveal(field);
    field.querySelector('a, summary')?.focus({ preventScroll: true });
    return;
  }
  if (target.closest('summary, details.why, .hint') !== null || String(getSelection()) !== '') return;
  const field = target.closest('.field-line');
  if (field !== null) {
    event.preventDefault();
    showField(field);
    return;
  }
  const element = target.closest('.element');
  if (element !== null) showElement(element);
}

/** Faintly marks the other end of a hovered or focused link, if it is in view. */
function near(event) {
  for (const line of playground.querySelectorAll('.near')) line.classList.remove('near');
  if (event.type === 'pointerleave' || event.type === 'focusout') return;
  const field = event.target.closest('.field-line');
  const element = event.target.closest('.element');
  for (const line of field !== null
    ? (elementsOf.get(field) ?? [])
    : element !== null
      ? (fieldsOf.get(element) ?? [])
      : [])
    line.classList.add('near');
}

const largest = 5 * 1024 * 1024;

function checkSize(input) {
  const size = [...input.files].reduce((sum, file) => sum + file.size, 0);
  input.setCustomValidity(size > largest - 4096 ? 'This file is larger than 5 MB.' : '');
  input.reportValidity();
}

function begin() {
  playground.addEventListener('click', onClick);
  for (const type of ['pointerover', 'focusin', 'focusout']) playground.addEventListener(type, near);
  playground.addEventListener('pointerleave', near);
  playground.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') return;
    clear();
    announce('');
  });
  const ask = document.getElementById('ask');
  const own = () => {
    ask.elements.chart.value = '';
  };
  ask.elements.text.addEventListener('input', own);
  ask.elements.file.addEventListener('change', (event) => {
    own();
    checkSize(event.target);
  });
  const start = document.getElementById(location.hash.slice(1));
  if (start?.classList.contains('field-line')) showField(start);
  else if (start?.classList.contains('element')) showElement(start);
}

if (playground !== null && resources !== null && resources !== undefined) begin();
