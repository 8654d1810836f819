const states =
  'Alabama AL|Alaska AK|Arizona AZ|Arkansas AR|California CA|Colorado CO|Connecticut CT|Delaware DE|' +
  'District of Columbia DC|Florida FL|Georgia GA|Hawaii HI|Idaho ID|Illinois IL|Indiana IN|Iowa IA|Kansas KS|' +
  'Kentucky KY|Louisiana LA|Maine ME|Maryland MD|Massachusetts MA|Michigan MI|Minnesota MN|Mississippi MS|' +
  'Missouri MO|Montana MT|Nebraska NE|Nevada NV|New Hampshire NH|New Jersey NJ|New Mexico NM|New York NY|' +
  'North Carolina NC|North Dakota ND|Ohio OH|Oklahoma OK|Oregon OR|Pennsylvania PA|Rhode Island RI|' +
  'South Carolina SC|South Dakota SD|Tennessee TN|Texas TX|Utah UT|Vermont VT|Virginia VA|Washington WA|' +
  'West Virginia WV|Wisconsin WI|Wyoming WY|Puerto Rico PR|Guam GU|American Samoa AS|Virgin Islands VI|' +
  'Northern Mariana Islands MP|Federated States of Micronesia FM|Marshall Islands MH|Palau PW|' +
  'Armed Forces Americas AA|Armed Forces Europe AE|Armed Forces Pacific AP';

/** Every state, territory and military region with a USPS code: `['IL', 'Illinois']`. USPS, Publication 28. */
export const usStates: readonly (readonly [code: string, name: string])[] = states
  .split('|')
  .map((state) => [state.slice(-2), state.slice(0, -3)] as const);

const codes = new Map(usStates.map(([code, name]) => [name.toLowerCase(), code]));
const known = new Set(codes.values());

/** Whether a text is the two-letter code of one of `usStates`, in capitals. */
export function isStateCode(text: string): boolean {
  return known.has(text);
}

const points: Readonly<Record<string, string>> = { n: 'north', s: 'south', w: 'west' };

/**
 * The two-letter code of a US state or territory, from its name or its letters as people write them (`S.D.`, `N.
 * Dakota`) or as ISO 3166-2 does (`US-SD`); undefined for anything else. USPS, Publication 28.
 */
export function stateCode(text: string): string | undefined {
  if (known.has(text)) return text;
  const clean = text.trim();
  const name = clean.toLowerCase().replace(/^([nsw])\.\s?(?=[a-z]{3})/, (_whole, point: string) => `${points[point]} `);
  const letters = clean.toUpperCase().replace(/^US-(?=[A-Z]{2}$)|\.\s?/g, '');
  return codes.get(name) ?? (known.has(letters) ? letters : undefined);
}
