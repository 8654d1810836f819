/** A line of an ICD-10-CM order file as CMS writes it. */
export function orderLine(order: number, code: string, flag: 0 | 1, title: string): string {
  const bare = code.replaceAll('.', '');
  return `${String(order).padStart(5, '0')} ${bare.padEnd(7)} ${flag} ${title.slice(0, 60).padEnd(60)} ${title}`;
}

/** A small file of that layout: three categories and nine codes. */
export const smallFile = [
  orderLine(1, 'K50', 0, "Crohn's disease [regional enteritis]"),
  orderLine(2, 'K50.90', 1, "Crohn's disease, unspecified, without complications"),
  orderLine(3, 'L40', 0, 'Psoriasis'),
  orderLine(4, 'L40.0', 1, 'Psoriasis vulgaris'),
  orderLine(5, 'L40.50', 1, 'Arthropathic psoriasis, unspecified'),
  orderLine(6, 'M05', 0, 'Rheumatoid arthritis with rheumatoid factor'),
  orderLine(
    7,
    'M05.79',
    1,
    'Rheumatoid arthritis with rheumatoid factor of multiple sites without organ or systems involvement',
  ),
  orderLine(8, 'M05.9', 1, 'Rheumatoid arthritis with rheumatoid factor, unspecified'),
  orderLine(9, 'M06.9', 1, 'Rheumatoid arthritis, unspecified'),
  orderLine(10, 'I10', 1, 'Essential (primary) hypertension'),
  orderLine(11, 'E11.9', 1, 'Type 2 diabetes mellitus without complications'),
  orderLine(12, 'E10.9', 1, 'Type 1 diabetes mellitus without complications'),
].join('\r\n');
