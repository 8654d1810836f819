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

localTimes(document);
document.addEventListener('htmx:after:swap', () => localTimes(document));

// A page that is polled goes on by itself: meanwhile it says that what it shows may be old.
function sayAway(isAway) {
  const notice = document.getElementById('away');
  if (notice !== null) notice.hidden = !isAway;
}

document.addEventListener('htmx:before:response', ({ detail }) => sayAway(detail.ctx.response.status >= 500));
document.addEventListener('htmx:error', ({ detail }) => {
  if (detail.ctx !== undefined && detail.ctx.response === undefined) sayAway(true);
});
