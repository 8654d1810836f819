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
