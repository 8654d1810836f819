/** What the platform's pages add to Pico CSS. */
export const platformCss = `
.ribbon { margin: 0; padding: .35rem .75rem; border-radius: .25rem; background: #4a148c; color: #fff;
  font-size: .9rem; }
header.container { padding-block: .75rem 0; }
.scroll { overflow-x: auto; }
caption { text-align: start; }
.reference { font-size: .8rem; overflow-wrap: anywhere; min-width: 10rem; }
.next { min-width: 8rem; }
.status { white-space: nowrap; }
.actions { display: flex; gap: .5rem; margin: 0; }
#record > .actions { margin-block-end: 1rem; }
.actions button { width: auto; margin: 0; padding: .3rem .7rem; white-space: nowrap; }
dl > div { display: grid; grid-template-columns: minmax(8rem, 14rem) 1fr; gap: 1rem; padding-block: .3rem;
  border-bottom: 1px solid var(--pico-muted-border-color); }
dl dt { font-weight: 600; }
dl dd { margin: 0; }
@media (max-width: 40rem) { dl > div { grid-template-columns: 1fr; gap: 0; } }
`;
