import { goesByItself, linesOfSheet } from '../../core/answers/lines.ts';
import { type AnswerForm, withAnswers } from '../../core/answers/request-parts.ts';
import { answersSheet } from '../../core/answers/sheet.ts';
import { BridgeError } from '../../core/errors.ts';
import { todayAt } from '../../core/fhir/time/today.ts';
import type { MappingResult } from '../../core/mapping/result.ts';
import { hasPlace } from '../../core/mapping/schema.ts';
import type { Chart } from '../../core/roles/chart.ts';
import { chartUnder } from '../../core/roles/select.ts';
import type { ChosenMapping } from '../mappings.ts';

/**
 * Returns a function that adds the answers sheet to a request, for `--answers`. Only cells that are sent without review
 * are added, since nobody reviews a batch. Throws config_invalid for a mapping whose requests have no place for the
 * sheet.
 */
export function answersAlong(
  { name, kind, schema, answers, site }: ChosenMapping,
  now: Date,
): (result: MappingResult<unknown>, chart: Chart) => MappingResult<unknown> {
  if (kind !== 'prior-auth')
    throw new BridgeError(
      'config_invalid',
      { mapping: name },
      { next: 'Leave out --answers, or name a mapping of prior-auth.' },
    );
  const form: AnswerForm = hasPlace(schema, ['questionnaires']) ? 'questionnaires' : 'evidence';
  const { day } = todayAt(now, site.timeZone);
  const { mapping, roles } = answers;
  return (result, chart) => {
    const sheet = answersSheet(mapping, chartUnder(chart, roles));
    const stays = linesOfSheet(sheet).filter((line) => !goesByItself(line));
    return withAnswers(result, sheet, { form, day, leftOut: new Set(stays.map(({ id }) => id)) });
  };
}
