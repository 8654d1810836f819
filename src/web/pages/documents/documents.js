// Search while typing (an ARIA 1.2 combobox with a listbox), and previews in a dialog. Without this script, each field
// accepts typed text, and the links beside the fields lead to pages that search and preview.

const atMost = 30;
const pauseMs = 180;

/** Adds suggestions to every field that has them: from the page (a datalist) or from the server (data-find). */
function enhanceAll(root) {
  for (const input of root.querySelectorAll('input[data-find], input[list]')) enhance(input);
}

/**
 * The combobox elements of each field. An update of the page removes them but keeps the field, so they are inserted
 * again.
 */
const made = new WeakMap();

function enhance(input) {
  if (input.getAttribute('role') === 'combobox') return;
  const known = made.get(input) ?? make(input);
  if (known === undefined) return;
  made.set(input, known);
  const { box, list, status, state } = known;
  const [isHere, isWanted] = [document.activeElement === input, state.isWanted];
  if (input.parentElement !== box) {
    input.before(box);
    box.append(input);
  }
  box.append(list, status);
  input.removeAttribute('list');
  for (const [name, value] of [
    ['role', 'combobox'],
    ['aria-autocomplete', 'list'],
    ['aria-expanded', 'false'],
    ['aria-controls', list.id],
    ['autocomplete', 'off'],
  ])
    input.setAttribute(name, value);
  if (!isHere) return;
  // An update of the page moved the field, so this focus is not a person's.
  state.isMoving = true;
  input.focus();
  state.isMoving = false;
  if (isWanted) known.lookSoon();
}

function make(input) {
  const find = input.dataset.find === undefined ? findInPage(input) : findAtServer(input);
  if (find === undefined) return undefined;
  const list = document.createElement('ul');
  list.id = `${input.id}-found`;
  list.className = 'combo-list';
  list.hidden = true;
  list.setAttribute('role', 'listbox');
  list.setAttribute('aria-label', 'Suggestions');
  const status = document.createElement('span');
  status.className = 'hidden';
  status.setAttribute('role', 'status');
  const box = document.createElement('div');
  box.className = 'combo';
  return { box, list, status, ...combine({ input, list, status, find }) };
}

function combine({ input, list, status, find }) {
  const state = { active: -1, options: [], timer: undefined, asked: 0, isWanted: false, isMoving: false };

  const show = (isOpen) => {
    list.hidden = !isOpen;
    input.setAttribute('aria-expanded', String(isOpen));
    if (!isOpen) mark(-1);
  };
  const mark = (index) => {
    state.active = index;
    for (const [position, item] of [...list.children].entries())
      item.setAttribute('aria-selected', String(position === index));
    const item = list.children[index];
    if (item === undefined) return input.removeAttribute('aria-activedescendant');
    input.setAttribute('aria-activedescendant', item.id);
    item.scrollIntoView({ block: 'nearest' });
  };
  const close = () => {
    clearTimeout(state.timer);
    state.asked += 1;
    state.isWanted = false;
    show(false);
  };
  const choose = (index) => {
    const option = state.options[index];
    if (option === undefined) return;
    option.take();
    close();
    input.focus();
  };
  const fill = (options, said) => {
    state.options = options;
    list.replaceChildren(...options.map((option, index) => itemOf(input, option, index, choose)));
    status.textContent = said;
    show(options.length > 0);
  };
  const look = async () => {
    state.asked += 1;
    state.isWanted = true;
    const mine = state.asked;
    const found = await find(input).catch(() => undefined);
    // This answer belongs to an earlier search, or the person has left the field.
    if (mine !== state.asked || document.activeElement !== input) return;
    const options = found?.options ?? [];
    const count =
      options.length === 0 ? 'No suggestions' : options.length === 1 ? '1 suggestion' : `${options.length} suggestions`;
    fill(options, [found?.said ?? '', count].filter(Boolean).join(' '));
  };
  const lookSoon = () => {
    clearTimeout(state.timer);
    state.isWanted = true;
    state.timer = setTimeout(look, pauseMs);
  };
  const step = (by) => {
    const count = state.options.length;
    if (count > 0) mark(state.active < 0 && by < 0 ? count - 1 : (state.active + by + count) % count);
  };

  input.addEventListener('input', (event) => {
    if (event.isTrusted) lookSoon();
  });
  // Focus shows the suggestions only if the field needs an answer; a click always shows them.
  input.addEventListener('focus', () => {
    const isAsked = input.value === '' || input.getAttribute('aria-invalid') === 'true';
    if (list.hidden && isAsked && !state.isMoving) lookSoon();
  });
  input.addEventListener('click', () => {
    if (list.hidden) lookSoon();
  });
  // An update of the page may move the field and focus it again, so the list closes only if the focus has really left.
  input.addEventListener('blur', () => {
    setTimeout(() => {
      if (document.activeElement !== input) close();
    });
  });
  input.addEventListener('keydown', (event) => {
    const isOpen = !list.hidden;
    if (event.isComposing) return;
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      if (!isOpen) void look();
      else step(event.key === 'ArrowDown' ? 1 : -1);
    } else if (event.key === 'Enter' && isOpen && state.active >= 0) {
      event.preventDefault();
      choose(state.active);
    } else if (event.key === 'Escape' && isOpen) {
      event.preventDefault();
      event.stopPropagation();
      close();
    }
  });
  return { state, lookSoon };
}

function itemOf(input, { name, detail = '', note = '' }, index, choose) {
  const item = document.createElement('li');
  item.id = `${input.id}-found-${index}`;
  item.setAttribute('role', 'option');
  item.setAttribute('aria-selected', 'false');
  for (const [tag, text] of [
    ['strong', name],
    ['span', detail],
    ['small', note],
  ]) {
    if (text === '') continue;
    const part = document.createElement(tag);
    part.textContent = text;
    item.append(part, ' ');
  }
  // Keeps the focus in the field. Otherwise the list would close before the click arrives.
  item.addEventListener('mousedown', (event) => event.preventDefault());
  item.addEventListener('click', () => choose(index));
  return item;
}

/** Sets a value and dispatches the events of typing, so that the value is saved. */
function put(input, text) {
  if (input.value === text) return;
  input.value = text;
  input.dispatchEvent(new Event('input', { bubbles: true }));
  input.dispatchEvent(new Event('change', { bubbles: true }));
}

// --------------------------------------------------------------- suggestions in the page

function findInPage(input) {
  const source = document.getElementById(input.getAttribute('list'));
  if (source === null) return undefined;
  const values = [...source.options].map(({ value }) => ({ value, words: value.replaceAll('_', ' ') }));
  return async () => {
    const typed = input.value.trim().toLowerCase().replaceAll('_', ' ');
    const isWhole = values.some(({ words }) => words === typed);
    const rank = ({ words }) => (words.startsWith(typed) ? 0 : 1);
    const found = values
      .filter(({ words }) => isWhole || words.startsWith(typed) || words.includes(` ${typed}`))
      .toSorted((one, other) => rank(one) - rank(other));
    const shown = found.length === 0 ? values : found;
    return {
      said: found.length === 0 && typed !== '' ? 'Not on the list.' : '',
      options: shown.slice(0, atMost).map(({ value, words }) => ({ name: words, take: () => put(input, value) })),
    };
  };
}

// --------------------------------------------------------------- codes and pharmacies, from the server

function findAtServer(input) {
  return async () => {
    const { form } = input;
    const body = new URLSearchParams({ q: lastOf(input) });
    for (const name of ['token', 'patient']) body.set(name, form?.elements.namedItem(name)?.value ?? '');
    // The attribute is read because a button named `action` would hide the property.
    const address = `${form.getAttribute('action')}/find/${input.dataset.find}`;
    const answer = await fetch(address, { method: 'POST', body, headers: { accept: 'application/json' } });
    if (!answer.ok) return undefined;
    const found = await answer.json();
    return 'pharmacies' in found ? pharmaciesOf(input, found) : codesOf(input, found);
  };
}

/** The code that is being typed, in a field that takes several codes. */
function lastOf(input) {
  return input.dataset.several === undefined ? input.value : (input.value.split(/[,;]/).at(-1)?.trim() ?? '');
}

function codesOf(input, { codes, category }) {
  const before = input.value.split(/[,;]/).slice(0, -1);
  const take = (code) => () => put(input, [...before.map((one) => one.trim()).filter(Boolean), code].join(', '));
  return {
    options: codes.map(({ code, title, note }) => ({ name: code, detail: title, note, take: take(code) })),
    said: category === undefined ? '' : `${category.code} is a category. Choose one of its codes.`,
  };
}

function pharmaciesOf(input, { pharmacies }) {
  const controls = [...(input.form?.elements ?? [])].filter(({ name = '' }) => name.startsWith('f.pharmacy.'));
  const take = (fields) => () => {
    // All controls are set, so that nothing of another pharmacy's address stays.
    for (const control of controls) put(control, fields[control.name.slice(2)] ?? '');
  };
  return {
    options: pharmacies.map(({ name, detail, note, fields }) => ({ name, detail, note, take: take(fields) })),
  };
}

enhanceAll(document);
document.addEventListener('htmx:after:swap', () => enhanceAll(document));

// --------------------------------------------------------------- previews in a dialog

document.addEventListener('click', (event) => {
  const link = event.target.closest('a.preview');
  if (link === null || event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
  event.preventDefault();
  void openPreview(link);
});

async function openPreview(link) {
  const answer = await fetch(link.href).catch(() => undefined);
  const page = answer?.ok && !answer.redirected ? await answer.text() : undefined;
  const part = page && new DOMParser().parseFromString(page, 'text/html').getElementById('preview');
  // The page of the link shows the error.
  if (!part) return location.assign(link.href);
  const dialog = document.createElement('dialog');
  dialog.className = 'preview-dialog';
  const article = document.createElement('article');
  const close = document.createElement('button');
  close.type = 'button';
  close.className = 'secondary outline dialog-close';
  close.textContent = 'Close';
  close.addEventListener('click', () => dialog.close());
  const title = part.querySelector('h1');
  if (title !== null) {
    title.id = 'preview-title';
    dialog.setAttribute('aria-labelledby', title.id);
  }
  article.append(close, document.importNode(part, true));
  dialog.append(article);
  dialog.addEventListener('close', () => dialog.remove());
  dialog.addEventListener('submit', (event) => tickInPage(event, dialog));
  document.body.append(dialog);
  dialog.showModal();
}

// Changes the checkbox in the page instead of submitting the dialog's form, so that the change is saved like any other
// and no other entry is lost.
function tickInPage(event, dialog) {
  const { reference } = event.target.dataset;
  if (reference === undefined) return;
  const boxes = [...document.querySelectorAll('input[type="checkbox"][name="evidence"]')];
  const box = boxes.find(({ value }) => value === reference);
  if (box === undefined) return;
  event.preventDefault();
  box.checked = event.submitter?.value === 'yes';
  box.dispatchEvent(new Event('input', { bubbles: true }));
  box.dispatchEvent(new Event('change', { bubbles: true }));
  dialog.close();
  box.focus();
}
