import { systems } from '../../src/core/fhir/codes/systems.ts';
import { codes } from './table-keys.ts';

const { edqm, ncit, v3orderableDrugForm: v3form } = systems;

/**
 * The words of forms whose code is more specific than the service's list: the kind of release, or a chewable tablet.
 * The displays are those of HL7's v3-orderableDrugForm 2.1.0, of FDA's SPL dosage forms in the NCI Thesaurus (HL7 US
 * PQ/CMC), in title case, and of EDQM Standard Terms.
 */
const rows: readonly (readonly [system: string, code: string, words: string])[] = [
  [v3form, 'ertab', 'Extended Release Tablet'],
  [v3form, 'ertab12', '12 Hour Extended Release Tablet'],
  [v3form, 'ertab24', '24 Hour Extended Release Tablet'],
  [v3form, 'ectab', 'Enteric Coated Tablet'],
  [v3form, 'erectab', 'Extended Release Enteric Coated Tablet'],
  [v3form, 'drtab', 'Delayed Release Tablet'],
  [v3form, 'chewtab', 'Chewable Tablet'],
  [v3form, 'disintab', 'Disintegrating Tablet'],
  [v3form, 'sltab', 'Sublingual Tablet'],
  [v3form, 'buctab', 'Buccal Tablet'],
  [v3form, 'ercap', 'Extended Release Capsule'],
  [v3form, 'ercap12', '12 Hour Extended Release Capsule'],
  [v3form, 'ercap24', '24 Hour Extended Release Capsule'],
  [v3form, 'entcap', 'Enteric Coated Capsule'],
  [v3form, 'erentcap', 'Extended Release Enteric Coated Capsule'],
  [v3form, 'ereccap', 'Extended Release Enteric Coated Capsule'],
  [ncit, 'c42893', 'Tablet, Chewable'],
  [ncit, 'c42905', 'Tablet, Delayed Release'],
  [ncit, 'c42910', 'Tablet, Effervescent'],
  [ncit, 'c42927', 'Tablet, Extended Release'],
  [ncit, 'c42930', 'Tablet, Film Coated, Extended Release'],
  [ncit, 'c42963', 'Tablet, Multilayer, Extended Release'],
  [ncit, 'c42997', 'Tablet, Delayed Release Particles'],
  [ncit, 'c42999', 'Tablet, Orally Disintegrating'],
  [ncit, 'c61006', 'Tablet, Orally Disintegrating, Delayed Release'],
  [ncit, 'c42902', 'Capsule, Delayed Release'],
  [ncit, 'c42916', 'Capsule, Extended Release'],
  [ncit, 'c42917', 'Capsule, Coated, Extended Release'],
  [ncit, 'c42928', 'Capsule, Film Coated, Extended Release'],
  [edqm, '10226000', 'Prolonged-release tablet'],
];

/** The words, by lowercase `system|code`. */
export const formKinds: ReadonlyMap<string, string> = new Map(
  rows.flatMap(([system, code, words]) => codes(system, code).map((key) => [key, words] as const)),
);
