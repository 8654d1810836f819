// A request is sent only once, even if a key is held down or the button is pressed twice.
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
