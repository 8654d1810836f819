// A request is sent once: a key that is held, or a button that is pressed twice, sends nothing more.
const form = document.querySelector('form.confirm');
let isSent = false;

form?.addEventListener('keydown', (event) => {
  if (event.repeat && (event.key === 'Enter' || event.key === ' ')) event.preventDefault();
});
form?.addEventListener('submit', (event) => {
  if (isSent) event.preventDefault();
  isSent = true;
});
window.addEventListener('pageshow', (event) => {
  if (event.persisted) location.reload();
});
