import { join } from 'node:path';
import type { Patient } from 'fhir/r4.js';
import { mappings } from '../../../mappings/index.ts';
import { runMapping } from '../../../src/core/mapping/run/run.ts';
import { candidateOrders, selectChart } from '../../../src/core/roles/select.ts';
import { type Fixture, listFixtures, loadFixture } from '../../../src/dev/kit/fixture.ts';
import { recordFixture, textsNamedBy } from '../../../src/dev/kit/record-fixture.ts';
import { readDocuments } from '../../../src/ehr/documents/read-documents.ts';

interface Changes {
  readonly entries?: Fixture['entries'];
  readonly keptSigs?: readonly string[];
  readonly shiftDays?: number;
}

export function record(fixture: Fixture, order: string, changes: Changes = {}) {
  const { entries = fixture.entries, keptSigs = [], shiftDays = -91 } = changes;
  const { now, site, mapping: chosen } = fixture.request;
  const mapping = mappings['prior-auth'][chosen['prior-auth'] ?? 'prior-auth']!;
  return recordFixture({
    entries,
    order,
    request: { now, site },
    map: async (resources, { order, now, site }) =>
      runMapping(
        mapping,
        selectChart(resources, {
          roles: mappings.roles,
          order,
          now: new Date(now),
          site,
          readings: await readDocuments(resources),
        }),
      ),
    seed: 'fixed for this test',
    shiftDays,
    named: textsNamedBy(mapping, mappings.roles),
    drugNames: mappings.drugNames,
    keptSigs,
  });
}

export function orderOf({ entries, request }: Fixture): string | undefined {
  const choosing = { roles: mappings.roles, now: new Date(request.now), site: request.site };
  return request.order ?? candidateOrders(entries, choosing).find(({ fits }) => fits)?.order;
}

/**
 * What a note or directions say decides here, and recorded they no longer say it: these are refused, since they would
 * answer otherwise, the last with another therapy in place of the one that was taken.
 */
export const toldByWords = [
  'evidence-note-of-the-visit-that-mentions-hiv-is-not-taken-by-the-sites-policy',
  'evidence-note-of-the-visit-that-names-a-drug-for-hiv-is-not-taken-by-the-sites-policy',
  'evidence-therapy-with-sensitive-directions-is-not-taken-but-a-caution-is-none',
];

/** The surname Null, and the suffix inside of a surname, are replaced like any other, by words that are neither. */
const surnames = ['name-null-is-a-surname', 'name-with-and-without-a-suffix-is-one'];

/**
 * What is decided by words that the recorder replaces (a code of no code system, a second drug, a dose or a remark
 * behind a drug's name, a state of the order, a status in words, an address that says that mail comes back, directions
 * for another drug or another way, the number of the notice in a text), by characters that it makes anew (damaged
 * text), or by an element that FHIR does not have: these are refused too.
 */
const decidedByWords = [
  'address-confirmed-as-it-stands-is-sent',
  'address-of-the-homeless-is-asked',
  'address-that-mail-came-back-from-beside-the-street-is-asked',
  'address-that-mail-came-back-from-is-asked',
  'address-where-mail-gets-comes-first',
  'address-whose-city-says-homeless-is-asked',
  'coverage-discount-and-copay-cards-beside-a-plan-are-out',
  'damaged-directions-are-asked',
  'damaged-directions-with-a-dose-struck-out-are-asked',
  'damaged-directions-without-the-number-are-asked',
  'damaged-letters-that-look-misread-are-warned',
  'damaged-names-and-places-are-asked',
  'damaged-text-of-html-is-decoded-and-marked',
  'diagnosis-differential-in-words-as-the-stated-reason-is-asked',
  'diagnosis-possible-by-its-words-as-the-stated-reason-is-asked',
  'diagnosis-provisional-in-words-as-the-stated-reason-is-asked',
  'diagnosis-refuted-in-words-alone-is-asked',
  'diagnosis-uncertain-in-words-is-not-accepted-by-the-site',
  'diagnosis-whose-words-rule-it-out-as-the-stated-reason-is-asked',
  'directions-that-name-another-drug-are-asked',
  'drug-combination-with-the-strength-of-each-in-the-text-agrees',
  'drug-name-with-a-hidden-character-agrees',
  'drug-text-alone-that-offers-two-drugs-is-asked',
  'drug-text-in-the-words-of-a-practice-is-read',
  'drug-text-that-offers-two-drugs-is-asked',
  'drug-text-that-says-discontinued-is-asked',
  'drug-text-with-an-alert-and-a-count-in-front-is-the-drug',
  'drug-text-with-the-word-insulin-behind-its-brand-agrees',
  'drug-two-salts-of-potassium-are-asked',
  'evidence-what-nobody-read-or-can-judge-is-not-taken-by-the-sites-policy',
  'name-that-marks-its-record-is-asked',
  'patient-deceased-without-its-type-is-asked',
  'route-of-the-form-that-the-directions-contradict-is-asked',
  'route-that-the-directions-contradict-is-asked',
  'rxnorm-code-behind-its-name-is-sent',
  'strength-beside-its-dose-in-the-text-agrees',
  'strength-of-a-salt-with-its-iron-in-parentheses-agrees',
];

/** Why a chart is not recorded with the same answers and without its names, of each chart or of every so many. */
export async function refusalsOfCharts({ every }: { readonly every: number }): Promise<string[]> {
  const skipped = [...toldByWords, ...decidedByWords, ...surnames];
  const folders = listFixtures(join(import.meta.dirname, '../../../fixtures/charts'));
  const refused: string[] = [];
  for (const fixture of folders.filter((_, at) => at % every === 0).map(loadFixture)) {
    const order = orderOf(fixture);
    if (order === undefined || skipped.includes(fixture.name)) continue;
    const { refusals, files } = await record(fixture, order);
    const family = fixture.entries.flatMap(({ resource }) =>
      resource.resourceType === 'Patient'
        ? ((resource as Patient).name ?? []).flatMap((name) => name.family ?? [])
        : [],
    );
    const told = family
      .filter((name) => name.length > 3 && JSON.stringify(files['bundle.json']).includes(name))
      .map((name) => `the family name of ${name.length} letters is still there`);
    refused.push(...[...refusals, ...told].map((line) => `${fixture.name}: ${line}`));
  }
  return refused;
}
