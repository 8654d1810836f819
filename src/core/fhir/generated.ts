import { isElementName } from './model/model.ts';

/**
 * A function built from source text. The text contains only names of the FHIR model and the generator's own code; every
 * other text or value, above all those of a site, is passed as data and referred to by number.
 *
 * @example
 * const source = new Generated();
 * source.build<(holder: object) => unknown>(`(holder) => holder${source.property('birthDate')}`)
 */
export class Generated {
  readonly #passed: unknown[] = [];
  readonly #defined: string[] = [];

  /** Passes a value and returns its name in the source text. */
  pass(value: unknown): string {
    return `p${this.#passed.push(value) - 1}`;
  }

  /** The property access after the name of an object: `.birthDate`, or `[p3]` for any other name. */
  property(name: string): string {
    return isPlainKey(name) ? `.${name}` : `[${this.pass(name)}]`;
  }

  /** Defines a function once and returns its name in the source text. */
  define(text: string): string {
    return `f${this.#defined.push(text) - 1}`;
  }

  /** Evaluates a source text as an expression. */
  build<T>(text: string): T {
    const names = this.#passed.map((_, index) => `p${index}`);
    const defined = this.#defined.map((inner, index) => `const f${index} = ${inner};\n`).join('');
    // the caller's text determines the type
    return new Function(...names, `'use strict';\n${defined}return ${text};`)(...this.#passed) as T;
  }
}

// The property beside a primitive has the name of the element after an underscore.
function isPlainKey(name: string): boolean {
  return isElementName(name.startsWith('_') ? name.slice(1) : name);
}

/** Source text that tests whether a value is an object; a list is not. */
export function isObjectText(name: string): string {
  return `typeof ${name} === 'object' && ${name} !== null && !Array.isArray(${name})`;
}
