/**
 * Lets go of the memory of an array that is not used any more: else it stays until V8 collects garbage, which is seldom
 * where little is made beside it.
 */
export function free({ buffer }: { readonly buffer: ArrayBuffer }): void {
  buffer.transfer(0);
}
