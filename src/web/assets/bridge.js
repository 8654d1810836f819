// Times of the server are UTC; the reader's browser knows the reader's zone.
function localTimes(root) {
  for (const time of root.querySelectorAll('time[datetime$="Z"]')) {
    time.textContent = new Date(time.dateTime).toLocaleString('en-US', {
      day: 'numeric',
      month: 'short',
      year: 'numeric',
      hour: 'numeric',
      minute: '2-digit',
    });
  }
}

// What is typed beside the readings of a field is its answer.
document.addEventListener('input', ({ target }) => {
  const other = target.closest('.option.other')?.querySelector('input[type="radio"]');
  if (other !== null && other !== undefined && target !== other) other.checked = true;
});

// Files that the server would not take are told before anything that was typed is sent along with them.
document.addEventListener('change', ({ target }) => {
  if (target.dataset?.most === undefined) return;
  const size = [...target.files].reduce((sum, file) => sum + file.size, 0);
  target.setCustomValidity(size > Number(target.dataset.most) ? target.dataset.tooLarge : '');
  target.reportValidity();
});

document.documentElement.classList.add('script');
localTimes(document);
document.addEventListener('htmx:after:swap', () => localTimes(document));

// A print says of which day it is.
window.addEventListener('beforeprint', () => {
  const place = document.getElementById('printed-on');
  if (place === null) return;
  place.textContent = new Date().toLocaleDateString('en-US', { day: 'numeric', month: 'short', year: 'numeric' });
});

// A page that is polled or saved goes on by itself: meanwhile it says that what it shows may be old.
function sayAway(isAway) {
  const notice = document.getElementById('away');
  if (notice !== null) notice.hidden = !isAway;
}

document.addEventListener('htmx:before:response', ({ detail }) => sayAway(detail.ctx.response.status >= 500));
document.addEventListener('htmx:error', ({ detail }) => {
  if (detail.ctx !== undefined && detail.ctx.response === undefined) sayAway(true);
});

// A page begins to be read at its heading; the address may lead elsewhere.
if (location.hash === '') document.getElementById('title')?.focus({ preventScroll: true });

// What an address leads to is unfolded when it is itself a fold.
function unfold() {
  const target = location.hash.length > 1 ? document.getElementById(decodeURIComponent(location.hash.slice(1))) : null;
  for (let fold = target?.closest('details'); fold; fold = fold.parentElement?.closest('details')) fold.open = true;
}
window.addEventListener('hashchange', unfold);
unfold();

// The session: a warning two minutes before it ends, earlier where it is short.
const ending = document.getElementById('session-end');
if (ending !== null) {
  const idle = Number(ending.dataset.idleMinutes) * 60_000;
  const last = Date.parse(ending.dataset.endsAt);
  const ahead = Math.min(120_000, idle / 2);
  let used = Date.now();
  const look = () => {
    const [now, end] = [Date.now(), Math.min(used + idle, last)];
    ending.hidden = now < end - ahead;
    ending.querySelector('.idle').hidden = end === last;
    ending.querySelector('.last').hidden = end !== last;
  };
  setInterval(look, Math.min(ahead / 4, 15_000));
  document.addEventListener('htmx:after:request', ({ detail }) => {
    if (detail.ctx.request?.method === 'POST' && detail.ctx.response?.status < 400) used = Date.now();
    look();
  });
  ending.querySelector('form').addEventListener('submit', (event) => {
    event.preventDefault();
    fetch(event.target.action, { method: 'POST', body: new URLSearchParams(new FormData(event.target)) }).then(
      (answer) => {
        if (!answer.ok) location.reload();
        used = Date.now();
        look();
      },
      () => sayAway(true),
    );
  });
}
