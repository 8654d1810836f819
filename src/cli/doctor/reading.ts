import type { CapabilityStatement } from 'fhir/r4.js';
import type { Site } from '../../config/config.ts';
import { systemReadScopesOf } from '../../config/presets/preset-scopes.ts';
import { presetOf } from '../../config/presets/presets.ts';
import type { FhirApi } from '../../core/fhir/api.ts';
import { covers, grants } from '../../core/fhir/scopes.ts';
import { readChart } from '../../ehr/chart/read-chart.ts';
import { type ChartSearch, includes, offersBatch, searches } from '../../ehr/chart/searches.ts';
import { type DoctorFinding, failed, note, ok, problemFinding, untried } from './finding.ts';

/** The chart searches that the EHR supports, and whether their scopes are requested. */
export function readingFindings(statement: CapabilityStatement, scopes: readonly string[]): DoctorFinding[] {
  const needed = unique(searches.filter(({ when }) => when === 'needed'));
  const others = unique(searches.filter(({ when }) => when !== 'needed')).filter((type) => !needed.includes(type));
  const lacking = needed.filter((type) => !searchable(statement, type));
  const unread = others.filter((type) => !searchable(statement, type) || !grants(scopes, type, 's'));
  const used = searches.flatMap((search) => includes(statement, search).map(([, value]) => value));
  return [
    ...(lacking.length === 0
      ? [ok(`The EHR offers the searches that a request needs: ${needed.join(', ')}.`)]
      : [
          problemFinding(
            `The EHR states no search of ${lacking.join(', ')}: without them there is no request to show.`,
            'Ask the EHR’s administrator whether iss is the address of the whole FHIR server.',
          ),
        ]),
    ...(unread.length === 0 ? [] : [note(`Not read, because not offered or not asked for: ${unread.join(', ')}.`)]),
    used.length === 0
      ? note('No include is offered: what an order refers to is read one by one.')
      : ok(`Included in the searches: ${[...new Set(used)].join(', ')}.`),
    offersBatch(statement)
      ? ok('Many references are read as one batch.')
      : note('No batch: references are read one by one.'),
  ];
}

/**
 * Says why a test patient's orders cannot be read with the Backend Services token, which otherwise needs no read
 * scopes; empty if they can be read. `granted`: the token's scopes.
 */
export function unreadableFindings(
  site: Site,
  patient: string,
  granted: readonly string[] | undefined,
): DoctorFinding[] {
  const unread = `The orders of ${patient} were not read: from the command line only Backend Services can read a chart`;
  const scopes = systemReadScopesOf(presetOf(site));
  if (site.writeback.system === undefined)
    return [
      untried(
        `${unread}, and this site has no client for it.`,
        'Open the app from that patient’s chart; or name a client in writeback.system that may read: ' +
          scopes.join(' '),
      ),
    ];
  if (granted === undefined) return [untried(`${unread}, and the EHR gave no token for it.`)];
  if (grants(granted, 'Patient', 'r') && grants(granted, 'MedicationRequest', 's')) return [];
  const lacking = scopes.filter((scope) => !covers(granted, scope));
  return [
    untried(
      `${unread}, and its token may not. Nothing is wrong with that: a launch reads with a token of its own.`,
      `Open the app from that patient’s chart; or, to read it here, add what the EHR grants of these to ` +
        `writeback.system.scopes: ${lacking.join(' ')}`,
    ),
  ];
}

/** Reads a test patient's chart as a launch does. Reports the number of resources per type, never their contents. */
export async function chartFindings(api: FhirApi, patient: string): Promise<DoctorFinding[]> {
  try {
    const chart = await readChart(api, { patient });
    const whole = chart.late === undefined ? chart : await chart.late.whole;
    const counts = Map.groupBy(whole.entries, ({ resource }) => resource?.resourceType ?? 'nothing');
    const perType = [...counts].map(([type, { length }]) => `${length} ${type}`).sort();
    return [
      ok(`The orders of ${patient} were read: ${perType.join(', ')}. It took ${whole.rounds} of 3 rounds.`),
      ...(whole.forbidden.length === 0
        ? []
        : [note(`The token of Backend Services may not read ${whole.forbidden.join(', ')}.`)]),
      ...whole.warnings.map((warning) => note(warning)),
    ];
  } catch (error) {
    return [failed(error)];
  }
}

function searchable(statement: CapabilityStatement, type: string): boolean {
  const stated = statement.rest?.find(({ mode }) => mode === 'server')?.resource?.find((each) => each.type === type);
  return stated?.interaction?.some(({ code }) => code === 'search-type') === true;
}

function unique(found: readonly ChartSearch[]): string[] {
  return [...new Set(found.map(({ type }) => type))];
}
