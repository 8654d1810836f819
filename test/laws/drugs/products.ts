import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Parsed, parseName } from './rxnorm.ts';

/** A row of products.tsv: a name of RxNorm, and what a request for it says. */
export interface Product {
  readonly rxcui: string;
  readonly name: string;
  readonly parsed: Parsed;
  readonly drug: string;
  /** One for each ingredient, as RxNorm writes them; none where a pack has several. */
  readonly strengths: readonly string[];
  /** Words of the service's list that are equally right; none where the list has no word. */
  readonly forms: readonly string[];
  readonly routes: readonly string[];
}

export function loadProducts(): Product[] {
  const lines = readFileSync(join(import.meta.dirname, 'products.tsv'), 'utf8').split('\n');
  return lines.filter((line) => line !== '' && !line.startsWith('#')).map(productOf);
}

function productOf(line: string): Product {
  const [, rxcui = '', name = '', drug = '', strengths = '', forms = '', route = ''] = line.split('\t');
  return {
    rxcui,
    name,
    parsed: parseName(name),
    drug,
    strengths: strengths === '-' ? [] : strengths.split(' / '),
    forms: forms === '-' ? [] : forms.split(','),
    routes: route.replace(/^order /, '').split(','),
  };
}
