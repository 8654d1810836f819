import { type Command, InvalidArgumentError, Option } from 'commander';
import { mappingNames } from '../../mappings/names.ts';
import { wholeDate } from '../core/fhir/time/date-time.ts';
import { isTimeZone } from '../core/fhir/time/time-zone.ts';

export interface MappingFlags {
  readonly mapping?: string;
  readonly site?: string;
  readonly sites?: string;
  readonly now?: string;
  readonly timeZone?: string;
}

export function addMappingOptions(command: Command): Command {
  return command
    .addOption(
      new Option('--mapping <name>', 'mapping or overlay to use')
        .choices(mappingNames)
        .default(undefined, 'the site’s, else prior-auth'),
    )
    .option('--site <id>', 'use this site of the sites file: its mapping, country, fax and policies')
    .option('--sites <file>', 'the sites file (default: BRIDGE_SITES, else sites.json)')
    .option('--now <date>', 'the day to judge by, as YYYY-MM-DD (default: today)', checkDay)
    .option(
      '--time-zone <name>',
      'the zone whose days count, such as America/New_York (default: the site’s, else the machine’s)',
      checkTimeZone,
    );
}

export interface SiteOptions {
  readonly site?: string;
  readonly sites?: string;
}

/** `--site` and `--sites`, for commands that use rules but no chart. */
export function addSiteOptions(command: Command, what: string): Command {
  return command
    .option('--site <id>', what)
    .option('--sites <file>', 'the sites file (default: BRIDGE_SITES, else sites.json)');
}

function checkDay(text: string): string {
  if (wholeDate(text) !== text) throw new InvalidArgumentError('It is not a day written as YYYY-MM-DD.');
  return text;
}

export function checkTimeZone(text: string): string {
  if (!isTimeZone(text)) throw new InvalidArgumentError('It is not the name of a time zone, such as America/New_York.');
  return text;
}
