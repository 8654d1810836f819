import type { DrugNameRow } from '../../src/fhir/drug/knowledge.ts';

export const brands: readonly DrugNameRow[] = [];
