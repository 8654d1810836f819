import { createRequire } from 'node:module';

// CommonJS files with a default export: what `import` makes of them differs between Node and test runners, `require` is
// the same everywhere
const require = createRequire(import.meta.url);
const adapter: typeof import('fhirclient/lib/adapters/NodeAdapter.js', { with: {
  'resolution-mode': 'require',
}}) = require('fhirclient/lib/adapters/NodeAdapter.js');
const client: typeof import('fhirclient/lib/FhirClient.js', { with: {
  'resolution-mode': 'require',
}}) = require('fhirclient/lib/FhirClient.js');

/** fhirclient's classes, which its index does not export as types. */
export const NodeAdapter = adapter.default;
export const FhirClient = client.default;
