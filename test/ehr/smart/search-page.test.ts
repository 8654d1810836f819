import { describe, expect, test } from 'vitest';
import { readPage } from '../../../src/ehr/smart/search-page.ts';

const pageOf = (url: unknown, nextAt: (link: string) => string | undefined = (link) => link) =>
  readPage(
    {
      resourceType: 'Bundle',
      link: [
        { relation: 'self', url: '/self' },
        { relation: 'next', url },
      ],
    },
    nextAt,
  );

describe('the link to the next page', () => {
  test('is taken without the spaces around it', () => {
    expect(pageOf(' /Patient?page=2\n')).toMatchObject({ link: [{ url: '/Patient?page=2' }], isCut: false });
  });

  test.each([undefined, null, 7, {}])('that is no text cannot be followed, which is told: %j', (url) => {
    expect(pageOf(url)).toMatchObject({ link: [], isCut: true });
  });

  test('that may not be asked is told; where there is none, nothing is', () => {
    expect(pageOf('/elsewhere', () => undefined)).toMatchObject({ link: [], isCut: true });
    expect(readPage({ resourceType: 'Bundle' }, (link) => link)).toMatchObject({ link: [], isCut: false });
  });
});
