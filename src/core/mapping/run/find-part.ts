import { Generated } from '../../fhir/generated.ts';
import { mayGenerate } from '../../fhir/may-generate.ts';
import type { Environment, Items } from '../../fhirpath/environment.ts';
import type { Item } from '../../fhirpath/item.ts';
import type { ListPlan, ListSource, PartPlan, PlacePlan } from '../plan/plan.ts';
import { compileLeaf } from './find-leaf.ts';
import { readItems } from './read-items.ts';
import { ConstantLeaf, hasRefusal, hasValue, ListValue, PartValue, ReadLeaf, Unusable, type Value } from './value.ts';

/** What is known about a part besides its value. */
export interface PartOutcome {
  /** Whether any value was read, so that the part is not only defaults. */
  hasRead: boolean;
  /** Whether a field found no usable value. */
  hasMissed: boolean;
}

/** The value of a part; `node` is the list item that it is made from. Sets both fields of `outcome`. */
export type FindPart = (
  context: Items,
  environment: Environment,
  outcome: PartOutcome,
  node?: Item,
) => PartValue | undefined;

type Find = (context: Items, environment: Environment) => Value | undefined;

/**
 * The function that fills a part. An optional part with only defaults is left out if its fields that are read found
 * nothing.
 */
export function compilePart(plan: PartPlan): FindPart {
  return mayGenerate ? generatedPart(plan) : loopPart(plan);
}

function generatedPart(plan: PartPlan): FindPart {
  const source = new Generated();
  const lines = plan.fields.map((field, index) => fieldText(field, `v${index}`, source));
  const values = plan.fields.map((_, index) => `v${index}`);
  const isEmpty = values.map((value) => `${value} === undefined`).join(' && ') || 'true';
  const fields = `[${values.join(', ')}]`;
  const kept = plan.optional
    ? `hasRead || !hasMissed ? ${fields} : ${fields}.map(${source.pass(withoutValues)})`
    : fields;
  return source.build(`(context, environment, outcome, node) => {
    let hasRead = false, hasMissed = false;
    ${lines.join('\n')}
    outcome.hasRead = hasRead;
    outcome.hasMissed = hasMissed;
    if (${isEmpty}) return undefined;
    return new ${source.pass(PartValue)}(${source.pass(plan)}, ${kept}, undefined, node);
  }`);
}

function loopPart(plan: PartPlan): FindPart {
  const finds = plan.fields.map(compileField);
  return (context, environment, outcome, node) => {
    let [hasRead, hasMissed] = [false, false];
    const values = finds.map((find) => {
      const value = find(context, environment, outcome);
      hasRead ||= outcome.hasRead;
      hasMissed ||= outcome.hasMissed;
      return value;
    });
    outcome.hasRead = hasRead;
    outcome.hasMissed = hasMissed;
    if (values.every((value) => value === undefined)) return undefined;
    const isKept = hasRead || !hasMissed || !plan.optional;
    return new PartValue(plan, isKept ? values : values.map(withoutValues), undefined, node);
  };
}

/** The value of a field. Sets both fields of `outcome`. */
function compileField(
  field: PlacePlan,
): (context: Items, environment: Environment, outcome: PartOutcome) => Value | undefined {
  if (field.kind === 'part') return compilePart(field);
  const find = compileFind(field);
  return (context, environment, outcome) => {
    const value = find(context, environment);
    outcome.hasMissed = value === undefined || value.kind === 'unusable';
    outcome.hasRead = value !== undefined && isRead(value);
    return value;
  };
}

/** The functions that fill the fields of a part that is never left out, one for each field. */
export function compileFields({ fields }: PartPlan): readonly Find[] {
  return fields.map((field) => {
    if (field.kind !== 'part') return compileFind(field);
    const find = compilePart(field);
    const outcome: PartOutcome = { hasRead: false, hasMissed: false };
    return (context, environment) => find(context, environment, outcome);
  });
}

function fieldText(field: PlacePlan, value: string, source: Generated): string {
  if (field.kind === 'part')
    return `const ${value} = ${source.pass(compilePart(field))}(context, environment, outcome);
      if (outcome.hasRead) hasRead = true;
      if (outcome.hasMissed) hasMissed = true;`;
  return `const ${value} = ${source.pass(compileFind(field))}(context, environment);
    if (${value} === undefined || ${value}.kind === 'unusable') hasMissed = true;
    else if (!hasRead) hasRead = ${source.pass(isRead)}(${value});`;
}

function isRead(value: Value): boolean {
  return value.kind === 'list' || (value instanceof ReadLeaf && !value.isDefault);
}

// Refused values are kept even when the part that they belong to is left out.
function withoutValues(value: Value | undefined): Value | undefined {
  if (value?.kind === 'unusable') return value;
  return value?.kind === 'part' ? new PartValue(value.plan, value.fields.map(withoutValues)) : undefined;
}

function compileFind(plan: Exclude<PlacePlan, PartPlan>): Find {
  switch (plan.kind) {
    case 'read':
      return compileLeaf(plan);
    case 'list':
      return compileList(plan);
    case 'constant': {
      const leaf = new ConstantLeaf(plan);
      return () => leaf;
    }
  }
}

function compileList(plan: ListPlan): Find {
  const sources = plan.sources.map((source) => ({ ...source, find: compileItem(source) }));
  return (context, environment) => {
    let items: Value[] | undefined;
    let [found, isRefused] = [0, false];
    for (const { path, find } of sources) {
      const nodes = readItems(path, context, environment);
      found += nodes?.length ?? 1;
      isRefused ||= nodes === undefined;
      if (nodes === undefined || nodes.length === 0) continue;
      items ??= [];
      for (const node of nodes) {
        const value = find(node, environment);
        if (value !== undefined && hasValue(value)) items.push(value);
        else isRefused ||= hasRefusal(value);
      }
    }
    if (found === 0) return undefined;
    return items === undefined || items.length === 0
      ? new Unusable(isRefused)
      : new ListValue(items, found - items.length);
  };
}

function compileItem({ item }: ListSource): (node: Item, environment: Environment) => Value | undefined {
  if (item.kind !== 'part') {
    const find = compileFind(item);
    return (node, environment) => find([node], environment);
  }
  const find = compilePart(item);
  const outcome: PartOutcome = { hasRead: false, hasMissed: false };
  return (node, environment) => find([node], environment, outcome, node);
}
