// The server sends times in UTC; only the browser knows the user's time zone.
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

// Typing a value beside the offered readings of a field selects the typed value.
document.addEventListener('input', ({ target }) => {
  const other = target.closest('.option.other')?.querySelector('input[type="radio"]');
  if (other !== null && other !== undefined && target !== other) other.checked = true;
});

// A file that is too large for the server is reported before the form is sent, so that the other entries are not lost.
document.addEventListener('change', ({ target }) => {
  if (target.dataset?.most === undefined) return;
  const size = [...target.files].reduce((sum, file) => sum + file.size, 0);
  target.setCustomValidity(size > Number(target.dataset.most) ? target.dataset.tooLarge : '');
  target.reportValidity();
});

document.documentElement.classList.add('script');
localTimes(document);
document.addEventListener('htmx:after:swap', () => localTimes(document));

// Prints show the date of printing.
window.addEventListener('beforeprint', () => {
  const place = document.getElementById('printed-on');
  if (place === null) return;
  place.textContent = new Date().toLocaleDateString('en-US', { day: 'numeric', month: 'short', year: 'numeric' });
});

// Shown when a poll or a save failed: the page may be outdated until a retry succeeds.
function sayAway(isAway) {
  const notice = document.getElementById('away');
  if (notice !== null) notice.hidden = !isAway;
}

document.addEventListener('htmx:before:response', ({ detail }) => sayAway(detail.ctx.response.status >= 500));
document.addEventListener('htmx:error', ({ detail }) => {
  if (detail.ctx !== undefined && detail.ctx.response === undefined) sayAway(true);
});

// Screen readers start at the heading, unless the URL has a fragment.
if (location.hash === '') document.getElementById('title')?.focus({ preventScroll: true });

// Opens the element that the URL's fragment names, and every details element around it.
function unfold() {
  const target = location.hash.length > 1 ? document.getElementById(decodeURIComponent(location.hash.slice(1))) : null;
  for (let fold = target?.closest('details'); fold; fold = fold.parentElement?.closest('details')) fold.open = true;
}
window.addEventListener('hashchange', unfold);
unfold();

// Warns two minutes before the session ends. If the idle limit is under four minutes, the warning comes after half of
// it.
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
