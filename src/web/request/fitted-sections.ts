import type { z } from 'zod';
import { kindRecordOf, type ListedEnded } from '../../cases/case.ts';
import { dayText } from '../../core/fhir/time/day-text.ts';
import { enumAt, hasPlace, isRequiredAt, wantsWhole } from '../../core/mapping/schema.ts';
import { parseTarget } from '../../core/mapping/target.ts';
import { outcomeIn } from '../../service/record-outcome.ts';
import { statusWords } from '../../service/status-words.ts';
import type { FieldSpec, SectionSpec } from './labels.ts';

/**
 * The sections as one contract defines them: only its fields, with its closed lists as options, its whole numbers and
 * its required fields.
 */
export function sectionsOf(sections: readonly SectionSpec[], schema: z.core.$ZodType): readonly SectionSpec[] {
  const known = sectionsBySchema.get(schema) ?? new Map<readonly SectionSpec[], readonly SectionSpec[]>();
  sectionsBySchema.set(schema, known);
  const made = known.get(sections) ?? fittedTo(sections, schema);
  known.set(sections, made);
  return made;
}

/** Fitted sections stay cached: there are few contracts and kinds of request. */
const sectionsBySchema = new WeakMap<z.core.$ZodType, Map<readonly SectionSpec[], readonly SectionSpec[]>>();

function fittedTo(sections: readonly SectionSpec[], schema: z.core.$ZodType): readonly SectionSpec[] {
  return sections.flatMap((section) => {
    const fields = section.fields.filter((spec) => isPlaced(spec, schema)).map((spec) => fitted(spec, schema));
    if (section.id === 'further') return [];
    return fields.length === 0 && section.fields.length > 0 ? [] : [{ ...section, fields }];
  });
}

function isPlaced({ target, beside }: FieldSpec, schema: z.core.$ZodType): boolean {
  return [target, ...(beside === undefined ? [] : [beside])].every((one) => hasPlace(schema, parseTarget(one)));
}

function fitted(spec: FieldSpec, schema: z.core.$ZodType): FieldSpec {
  const path = parseTarget(spec.target);
  const { suggestions, ...rest } = spec;
  const closed = suggestions === undefined ? undefined : enumAt(schema, path);
  return {
    ...(closed === undefined ? spec : { ...rest, input: 'choice', options: closed.map((value) => [value, value]) }),
    ...(spec.input === 'number' && wantsWhole(schema, path) ? { input: 'whole' } : {}),
    ...(isRequiredAt(schema, path) ? { required: true } : {}),
  };
}

/** The sections, with the order's finished requests as options of the field that names an earlier request. */
export function withEarlier(sections: readonly SectionSpec[], earlier: readonly ListedEnded[]): readonly SectionSpec[] {
  const optionsFor = (finished: readonly ListedEnded[]) =>
    finished.flatMap((one): (readonly [string, string])[] => {
      const text = `${dayText(one.endedAt.slice(0, 10))}: ${endOf(one)}`;
      return one.serviceId === undefined ? [] : [[one.serviceId, text]];
    });
  const withChoices = (spec: FieldSpec): FieldSpec => {
    const options = optionsFor(offered(spec, earlier));
    return options.length === 0 ? spec : { ...spec, input: 'choice', options: [['', 'None'], ...options] };
  };
  return sections.map((section) => ({ ...section, fields: section.fields.map(withChoices) }));
}

function offered({ offers }: FieldSpec, earlier: readonly ListedEnded[]): readonly ListedEnded[] {
  if (offers === 'canceled requests') return earlier.filter((one) => kindRecordOf(one)?.record.status === 'cancelled');
  return offers === 'finished requests' ? earlier : [];
}

function endOf(one: ListedEnded): string {
  const read = kindRecordOf(one);
  return read === undefined ? 'Finished' : (outcomeIn(read)?.label ?? statusWords(one.kind, read.record.status).label);
}
