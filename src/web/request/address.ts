import { type AddressLine, addressFields } from './request-fields.ts';

/** An address in lines; a line without content is ''. */
export type AddressLines = Readonly<Record<AddressLine, string>>;

/** The lines of the address whose parts `at` returns: `777 Oak St, Suite 4`, `Bloomington`, `IL 61701`, `USA`. */
export function addressLines(at: (part: string) => string | undefined): AddressLines {
  const line = (name: AddressLine, by: string) =>
    Object.entries(addressFields)
      .filter(([, { on }]) => on === name)
      .flatMap(([part]) => at(part) || [])
      .join(by);
  return {
    street: line('street', ', '),
    city: line('city', ', '),
    state: line('state', ' '),
    country: line('country', ', '),
  };
}

/** `77 Storybook Lane, Bloomington IL 61701`; the country only if no other part is known. */
export function addressText(at: (part: string) => string | undefined): string {
  const { street, city, state, country } = addressLines(at);
  const text = joinedAddress(', ', street, joinedAddress(' ', city, state));
  return text === '' ? country : text;
}

export function joinedAddress(by: string, ...parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined && part !== '').join(by);
}
