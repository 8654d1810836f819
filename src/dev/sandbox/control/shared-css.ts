export const sharedCss = `
/* Another bar than the bridge's: who has both open sees where they are. */
:root {
  --bar: #33405c;
}
@media screen and (prefers-color-scheme: dark) {
  :root {
    --bar: #232d45;
  }
}
.ribbon {
  margin: 0;
  padding: 0.25rem 1rem;
  background: var(--act-soft);
  color: var(--ink);
  font-size: var(--text-small);
  text-align: center;
}
.lines .line > .name {
  color: var(--ink);
  font-weight: 600;
}
.fault-limits {
  display: grid;
  gap: var(--space-2) var(--space-4);
  grid-template-columns: repeat(auto-fill, minmax(min(100%, 14rem), 1fr));
}
.fault-value {
  max-width: 34rem;
}
.fault input {
  margin: 0;
}
.fault code {
  white-space: pre-wrap;
}
.presets > .line {
  grid-template-columns: minmax(0, 1fr) auto;
}
`;
