import type { DiagnosticReport, DocumentReference } from 'fhir/r4.js';
import { describe, expect, test } from 'vitest';
import { presetIds } from '../../../src/config/presets/presets.ts';
import type { Kind } from '../../../src/core/contract/kinds.ts';
import { isNote } from '../../../src/core/fhir/documents/kinds.ts';
import { isOwnText, isOwnWriting } from '../../../src/core/fhir/documents/own-writing.ts';
import { readText } from '../../../src/ehr/documents/read-text.ts';
import { deliver } from '../../../src/writeback/deliver.ts';
import { testSite } from '../../support/site.ts';
import { aCase, approval, aRequest, at } from '../../writeback/support.ts';

async function summary(kind: Kind = 'prior-auth', site = testSite()): Promise<DocumentReference> {
  const request = aRequest(aCase({ ...at('completed', approval), kind }), { site });
  await deliver(request);
  const [written] = request.api.all<DocumentReference>('DocumentReference');
  if (written === undefined) throw new Error('nothing was written');
  return written;
}

describe('[K9] what the bridge wrote is no note', () => {
  test.each(presetIds)('as it writes at %s', async (preset) => {
    const written = await summary('prior-auth', { ...testSite(), preset });
    expect(isOwnWriting(written)).toBe(true);
    expect(isNote(written)).toBe(false);
  });

  // what EHRs and exports drop, until one mark is left
  test.each<readonly [string, (written: DocumentReference) => DocumentReference]>([
    ['its identifiers', ({ identifier: _, ...rest }) => rest],
    ['its meta and author', ({ meta: _, author: __, ...rest }) => rest],
    ['all but its description', ({ description, ...rest }) => bare({ description }, rest)],
    ['all but the words of its type', ({ type, ...rest }) => bare({ type: { text: type?.text ?? '' } }, rest)],
    [
      'all but its title',
      ({ content, ...rest }) =>
        bare({ content: [{ attachment: { title: content[0]?.attachment.title ?? '' } }] }, rest),
    ],
    [
      'all but its own identifier',
      ({ identifier = [], ...rest }) => bare({ identifier: identifier.slice(0, 1) }, rest),
    ],
    ['all but that of the case', ({ identifier = [], ...rest }) => bare({ identifier: identifier.slice(1, 2) }, rest)],
  ])('in a copy that lost %s', async (_what, copied) => {
    expect(isNote(copied(await summary()))).toBe(false);
  });

  test.each(['enrollment', 'benefit-verification'] as const)('about a request of the kind %s', (kind) => {
    const labels = { enrollment: 'Patient enrollment', 'benefit-verification': 'Benefit verification' };
    expect(isOwnWriting(document({ type: { text: `${labels[kind]} summary` } }))).toBe(true);
  });

  test('by its text, when a copy kept nothing but the bytes', async () => {
    const written = await summary();
    const { data = '' } = written.content[0]?.attachment ?? {};
    const read = await readText('application/pdf', data);
    expect('text' in read && isOwnText(read.text)).toBe(true);
  });

  test('a letter of the payer that it filed', () => {
    const title = "Payer's letter on prior authorization: adalimumab, Denied (Nov 21, 2026)";
    expect(isOwnWriting(document({ content: [{ attachment: { title } }] }))).toBe(true);
    const description = 'The payer’s own letter, unchanged, as the prior  authorization service received it.';
    expect(isOwnWriting(document({ description }))).toBe(true);
  });

  test('the same as a report', () => {
    const report: DiagnosticReport = {
      resourceType: 'DiagnosticReport',
      id: 'r1',
      status: 'final',
      code: { text: 'Prior authorization summary' },
      conclusion: 'Approved',
    };
    expect(isNote(report)).toBe(false);
  });

  test.each<readonly [string, Partial<DocumentReference>]>([
    ['a progress note', { type: { text: 'Progress note' } }],
    ['a note on a prior authorization', { description: 'Prior authorization: called the plan' }],
    ['a letter of the payer that the clinic filed', { type: { text: 'Payer letter' }, description: 'Denial of Nov 3' }],
    ['a letter under a title much like ours', { content: [{ attachment: { title: 'PA letter: Humira 11/3/2026' } }] }],
    [
      'an identifier of the EHR',
      { identifier: [{ system: 'https://ehr.example/fhir/ns/documents-of-record', value: '1' }] },
    ],
  ])('%s is one', (_what, more) => {
    expect(isNote(document(more))).toBe(true);
  });
});

function document(more: Partial<DocumentReference>): DocumentReference {
  return { resourceType: 'DocumentReference', id: 'd1', status: 'current', content: [{ attachment: {} }], ...more };
}

function bare(kept: Partial<DocumentReference>, { subject }: Partial<DocumentReference>): DocumentReference {
  return document({ ...(subject === undefined ? {} : { subject }), ...kept });
}
