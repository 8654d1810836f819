// Keys of the worklist: arrows move between lines, `a` assigns, `/` searches. Enter opens a line without this script.
document.addEventListener('keydown', (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey || isTyping(event.target)) return;
  if (event.key === '/') return act(event, document.querySelector('#search, #note'));
  if (event.key === 'a') return assign(event);
  if (event.key === 'ArrowDown') move(event, 1);
  if (event.key === 'ArrowUp') move(event, -1);
});

function isTyping(target) {
  return target instanceof Element && target.closest('input, select, textarea, [contenteditable]') !== null;
}

function act(event, element) {
  if (element === null || element === undefined) return;
  event.preventDefault();
  element.focus();
}

function move(event, step) {
  const lines = [...document.querySelectorAll('table.worklist tbody a')];
  const at = lines.indexOf(document.activeElement);
  act(event, lines[at === -1 ? 0 : Math.min(Math.max(at + step, 0), lines.length - 1)]);
}

function assign(event) {
  const box = document.querySelector('#assign');
  if (box !== null) return act(event, box);
  const line = document.activeElement?.closest('table.worklist tbody a');
  if (line === null || line === undefined) return;
  event.preventDefault();
  location.assign(`${line.href}#assign`);
}

// Checks all lines without reloading the page. A second click unchecks them.
document.querySelector('#select-all')?.addEventListener('click', (event) => {
  event.preventDefault();
  const boxes = [...document.querySelectorAll('table.worklist input[name="case"]')];
  const isAll = boxes.every((box) => box.checked);
  for (const box of boxes) box.checked = !isAll;
});

if (location.hash === '#assign') document.querySelector('#assign')?.focus();
