// The colors of src/web/assets/bridge.css, repeated because a report is self-contained.
const light = `
  color-scheme: light;
  --ink: #17252f;
  --ink-2: #4a5b67;
  --paper: #ffffff;
  --ground: #f2f6f8;
  --line: #d3dde3;
  --line-strong: #76899a;
  --accent: #0b6471;
  --good: #1d6b3a;
  --act: #7a4a00;
  --act-soft: #fdf2dd;
  --bad: #a3231d;
  --bar: #084a54;
  --on-bar: #ffffff;`;

const dark = `
    color-scheme: dark;
    --ink: #e8edf1;
    --ink-2: #a9b8c3;
    --paper: #18222a;
    --ground: #10171d;
    --line: #2e3c47;
    --line-strong: #7c8e9b;
    --accent: #63c6d1;
    --good: #7fd39b;
    --act: #f2b962;
    --act-soft: #2c2415;
    --bad: #f5a3a0;
    --bar: #0c3a42;
    --on-bar: #e8f6f8;`;

export const reportStyle = `:root {${light}
}
@media screen and (prefers-color-scheme: dark) {
  :root {${dark}
  }
}
* { box-sizing: border-box; }
body {
  margin: 0;
  background: var(--ground);
  color: var(--ink);
  font: 1rem/1.45 system-ui, "Segoe UI", Roboto, "Helvetica Neue", Arial, "Noto Sans", sans-serif;
}
header { background: var(--bar); color: var(--on-bar); }
header p { max-width: 72rem; margin: 0 auto; padding: 0.4rem 1.25rem; font-weight: 650; }
header svg { width: 1.25rem; height: 1.25rem; margin-right: 0.5rem; vertical-align: -0.25rem; }
main { max-width: 72rem; margin: 0 auto; padding: 1rem 1.25rem 3rem; }
h1 { margin: 0.5rem 0 0.25rem; font-size: 1.4rem; line-height: 1.25; }
h2 { margin: 0 0 0.25rem; font-size: 1.125rem; }
p { margin: 0 0 0.75rem; }
.lead, .small { color: var(--ink-2); }
.small { font-size: 0.875rem; }
.notice {
  padding: 0.6rem 0.9rem;
  background: var(--act-soft);
  border: 1px solid var(--line);
  border-left: 4px solid var(--act);
  border-radius: 6px;
}
.card {
  margin: 0 0 1rem;
  padding: 1rem 1.1rem;
  background: var(--paper);
  border: 1px solid var(--line);
  border-radius: 8px;
}
.columns { columns: 2 26rem; column-gap: 1rem; }
.columns .card { break-inside: avoid; }
a { color: var(--accent); text-underline-offset: 0.15em; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
code { font-size: 0.8125rem; overflow-wrap: anywhere; }
[hidden] { display: none !important; }

table { width: 100%; border-collapse: collapse; }
th, td { padding: 0.3rem 0.75rem 0.3rem 0; text-align: left; vertical-align: top; }
thead th { color: var(--ink-2); font-size: 0.875rem; font-weight: 600; }
tbody tr { border-top: 1px solid var(--line); }
tbody th { font-weight: 400; }
.number { text-align: right; padding-right: 0; white-space: nowrap; font-variant-numeric: tabular-nums; }
.bars { table-layout: fixed; }
.bars th:first-child { width: 44%; overflow-wrap: anywhere; }
.bars .number { width: 9.5rem; white-space: normal; }
.bars th code { display: block; color: var(--ink-2); }
@media screen and (max-width: 36rem) {
  .bars tr { display: grid; grid-template-columns: 1fr auto; }
  .bars thead td { display: none; }
  .bars th:first-child, .bars .number { width: auto; }
  .bars tbody td:nth-child(2) { grid-area: 2 / 1 / auto / span 2; padding: 0 0 0.5rem; }
}
.bar { display: block; width: 100%; height: 1rem; margin-top: 0.2rem; }
.bar rect, .key rect, .picture rect { stroke: var(--ink-2); stroke-width: 1; }

.picture { display: block; width: 100%; height: 3rem; margin: 0.75rem 0; }
.keys { display: flex; flex-wrap: wrap; gap: 0.75rem 2rem; margin: 0; padding: 0; list-style: none; }
.keys li { display: grid; grid-template-columns: auto auto; gap: 0 0.6rem; align-items: center; }
.keys b { font-size: 1.4rem; line-height: 1.2; font-variant-numeric: tabular-nums; }
.keys span { grid-column: 2; color: var(--ink-2); }
.key { width: 1.5rem; height: 1.5rem; }
.patterns { position: absolute; width: 0; height: 0; }
.good { fill: var(--good); }
.act { fill: url(#act); }
.off { fill: url(#off); }
.calm { fill: url(#calm); }
.bad { fill: url(#bad); }
.plain { fill: var(--paper); }
.pattern-ground { fill: var(--paper); }
.pattern-act, .pattern-bad { fill: none; stroke-width: 3; }
.pattern-act { stroke: var(--act); }
.pattern-bad { stroke: var(--bad); }
.pattern-off { fill: var(--line-strong); }
.pattern-calm { fill: none; stroke: var(--line-strong); }

.filter { display: flex; flex-wrap: wrap; gap: 0.5rem 1rem; align-items: end; margin: 0 0 0.75rem; }
.filter label { display: grid; font-size: 0.875rem; color: var(--ink-2); }
.filter input, .filter select {
  min-height: 2.5rem;
  padding: 0.3rem 0.6rem;
  font: inherit;
  color: var(--ink);
  background: var(--paper);
  border: 1px solid var(--line-strong);
  border-radius: 6px;
}
.filter input { width: 20rem; max-width: 100%; }
.filter output { padding: 0.5rem 0; color: var(--ink-2); }
.scroll { overflow-x: auto; }
.orders { min-width: 48rem; font-size: 0.875rem; }
.orders td { overflow-wrap: anywhere; min-width: 6rem; }
.orders td:nth-child(4) { min-width: 14rem; overflow-wrap: break-word; }
.orders ul { margin: 0; padding: 0; list-style: none; }
.badge {
  display: inline-block;
  padding: 0.05rem 0.5rem;
  border: 1px solid currentcolor;
  border-radius: 1rem;
  white-space: nowrap;
  color: var(--ink-2);
}
.badge-good { color: var(--good); }
.badge-act { color: var(--act); font-weight: 600; }
.badge-bad { color: var(--bad); font-weight: 600; }
summary { color: var(--accent); cursor: pointer; padding: 0.3rem 0; }

@media print {
  html { font-size: 10pt; }
  body { background: #fff; }
  header { background: none; color: inherit; border-bottom: 1px solid var(--line); }
  main { max-width: none; padding: 0; }
  .card { border: 0; padding: 0.5rem 0; }
  .filter, summary { display: none; }
  .columns { columns: auto; }
  .orders { min-width: 0; font-size: 8pt; }
  tr, .keys, .picture { break-inside: avoid; }
  h2 { break-after: avoid; }
  * { print-color-adjust: exact; }
}
`;
