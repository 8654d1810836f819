/** Filters the table of orders while typing. Without scripts the whole table is shown, without the filter fields. */
export const filterScript = `
(() => {
  const form = document.querySelector('.filter');
  const rows = [...document.querySelectorAll('.orders tbody tr')];
  if (form === null || rows.length === 0) return;
  const { find, state } = form.elements;
  const shown = form.querySelector('output');
  const texts = rows.map((row) => row.textContent.toLowerCase());
  const filter = () => {
    const words = find.value.toLowerCase().split(/\\s+/).filter((word) => word !== '');
    let count = 0;
    rows.forEach((row, at) => {
      const isShown =
        (state.value === '' || row.dataset.state === state.value) && words.every((word) => texts[at].includes(word));
      row.hidden = !isShown;
      if (isShown) count += 1;
    });
    shown.textContent = count.toLocaleString('en-US') + ' ' + shown.dataset.shown;
  };
  form.addEventListener('input', filter);
  form.addEventListener('submit', (event) => event.preventDefault());
  form.hidden = false;
  filter();
})();
`;
