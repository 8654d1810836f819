// The server's times are in UTC; the browser knows the reader's time zone.
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

// Text typed beside a field's readings selects the text as the answer.
document.addEventListener('input', ({ target }) => {
  const other = target.closest('.option.other')?.querySelector('input[type="radio"]');
  if (other !== null && other !== undefined && target !== other) other.checked = true;
});

// Files that are too large for the server are reported before the form and its entries are sent.
document.addEventListener('change', ({ target }) => {
  if (target.dataset?.most === undefined) return;
  const size = [...target.files].reduce((sum, file) => sum + file.size, 0);
  target.setCustomValidity(size > Number(target.dataset.most) ? target.dataset.tooLarge : '');
  target.reportValidity();
});

document.documentElement.classList.add('script');
localTimes(document);
document.addEventListener('htmx:after:swap', () => localTimes(document));

// A print shows its date.
window.addEventListener('beforeprint', () => {
  const place = document.getElementById('printed-on');
  if (place === null) return;
  place.textContent = new Date().toLocaleDateString('en-US', { day: 'numeric', month: 'short', year: 'numeric' });
});

// A page that polls or saves retries by itself; meanwhile a notice says that it may be outdated.
function sayAway(isAway) {
  const notice = document.getElementById('away');
  if (notice !== null) notice.hidden = !isAway;
}

document.addEventListener('htmx:before:response', ({ detail }) => sayAway(detail.ctx.response.status >= 500));
document.addEventListener('htmx:error', ({ detail }) => {
  if (detail.ctx !== undefined && detail.ctx.response === undefined) sayAway(true);
});

// Screen readers start at the heading, unless the address leads elsewhere.
if (location.hash === '') document.getElementById('title')?.focus({ preventScroll: true });

// Unfolds the target of the address, and every fold that contains it.
function unfold() {
  const target = location.hash.length > 1 ? document.getElementById(decodeURIComponent(location.hash.slice(1))) : null;
  for (let fold = target?.closest('details'); fold; fold = fold.parentElement?.closest('details')) fold.open = true;
}
window.addEventListener('hashchange', unfold);
unfold();

// Warns two minutes before the session ends, or at half of a shorter idle time.
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
