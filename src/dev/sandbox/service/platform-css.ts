/** The styles of the service's pages, in addition to the bridge's tokens and components. */
export const platformCss = `
.scroll { overflow-x: auto; }
table { margin: 0; }
table th, table td { background: none; color: var(--ink); }
thead th { color: var(--ink-2); font-size: var(--text-small); font-weight: 500; }
caption { text-align: start; color: var(--ink-2); font-size: var(--text-small); }
.reference { font-size: var(--text-small); overflow-wrap: anywhere; min-width: 10rem; }
.next { min-width: 8rem; }
.status { white-space: nowrap; }
td .actions { margin: 0; flex-wrap: nowrap; }
#record > .actions { margin-block-end: var(--space-4); }
.actions button { white-space: nowrap; }
dl > div { display: grid; grid-template-columns: minmax(8rem, 14rem) 1fr; gap: var(--space-4);
  padding-block: 0.3rem; border-bottom: 1px solid var(--line); }
dl dt { color: var(--ink-2); font-weight: 400; }
dl dd { margin: 0; color: var(--ink); }
@media (max-width: 40rem) { dl > div { grid-template-columns: 1fr; gap: 0; } }
`;
