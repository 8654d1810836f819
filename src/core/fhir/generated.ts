import { isElementName } from './model/model.ts';

/**
 * A function made of source text. Its text holds names of the FHIR model and what the generator itself writes; every
 * other text or value, a site's above all, is passed as data and has a number in the text.
 *
 * @example
 * const source = new Generated();
 * source.build<(holder: object) => unknown>(`(holder) => holder${source.property('birthDate')}`)
 */
export class Generated {
  readonly #passed: unknown[] = [];
  readonly #defined: string[] = [];

  /** The name in the text of a value that is passed. */
  pass(value: unknown): string {
    return `p${this.#passed.push(value) - 1}`;
  }

  /** What follows the name of an object to read one of its properties: `.birthDate`, or `[p3]` for any other name. */
  property(name: string): string {
    return isPlainKey(name) ? `.${name}` : `[${this.pass(name)}]`;
  }

  /** The name of a function of its own, which is made once. */
  define(text: string): string {
    return `f${this.#defined.push(text) - 1}`;
  }

  /** What the text says as an expression. */
  build<T>(text: string): T {
    const names = this.#passed.map((_, index) => `p${index}`);
    const defined = this.#defined.map((inner, index) => `const f${index} = ${inner};\n`).join('');
    // what it makes is said by the text
    return new Function(...names, `'use strict';\n${defined}return ${text};`)(...this.#passed) as T;
  }
}

// What stands beside a primitive is named after it.
function isPlainKey(name: string): boolean {
  return isElementName(name.startsWith('_') ? name.slice(1) : name);
}

/** The text of whether a value is an object, which a list is not. */
export function isObjectText(name: string): string {
  return `typeof ${name} === 'object' && ${name} !== null && !Array.isArray(${name})`;
}
