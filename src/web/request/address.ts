import { type AddressLine, addressFields } from './request-fields.ts';

/** An address by its lines; a line of which nothing is known is empty. */
export type AddressLines = Readonly<Record<AddressLine, string>>;

/** The address whose parts `at` gives: `777 Oak St, Suite 4`, `Bloomington`, `IL 61701`, `USA`. */
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

/** `77 Storybook Lane, Bloomington IL 61701`; the country only where nothing else is known. */
export function addressText(at: (part: string) => string | undefined): string {
  const { street, city, state, country } = addressLines(at);
  const text = joined(', ', street, joined(' ', city, state));
  return text === '' ? country : text;
}

/** What there is of the parts. */
export function joined(by: string, ...parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined && part !== '').join(by);
}
