import { counted } from '../../core/counted.ts';

export const coverageWords = {
  title: (mapping: string) => `Coverage of ${mapping}`,
  lead: (cases: number) =>
    `What ${cases.toLocaleString('en-US')} mapping cases prove about the mapping, and what they do not.`,
  holds: 'This page holds names of fields and rules. Mapping cases are of invented patients.',
  proven: 'Proven',
  unproven: 'Not proven',
  overview: 'What the cases prove',
  parts: {
    fields: 'Fields of the request',
    sources: 'Sources of rules',
    values: 'Values of closed lists with a row',
    rows: 'Rows of tables',
    roles: 'Roles',
  },
  part: 'Part',
  share: 'Proven',
  of: (proven: number, all: number) => `${proven.toLocaleString('en-US')} of ${all.toLocaleString('en-US')}`,
  tables: 'Rows of tables that cases use, by field',
  field: 'Field',
  open: {
    sources: 'Sources that no case uses',
    fields: 'Fields that no case produces',
    unread: 'Elements of the cases that nothing reads',
    overlays: 'Overlay rules that change nothing',
    values: 'Values of closed lists without a row',
    roles: 'Parts of roles that no case brings up',
  },
  rest: 'Not proven yet',
  nothing: 'Nothing is left: the cases prove every field, rule and role.',
  filled: (role: string) => `%${role} is not filled`,
  cases: (count: number) => counted(count, 'case'),
} as const;

export const fidelityWords = {
  title: 'Where values come from',
  lead: (sets: number) =>
    sets === 1 ? 'One set of charts.' : `${sets.toLocaleString('en-US')} sets of charts, one after the other.`,
  holds: 'This page holds counts by field and resource type, and no value from a chart.',
  orders: 'Orders by state',
  fields: 'Each field: values that were read, and gaps',
  fieldsLead: 'Solid: values from the chart or the site. Striped: gaps.',
  field: 'Field',
  counts: 'Values, gaps',
  said: (values: number, gaps: number) =>
    `${values.toLocaleString('en-US')}, ${gaps === 0 ? 'no gap' : counted(gaps, 'gap')}`,
  from: 'Where values were read',
  resource: 'Resource',
  values: 'Values',
} as const;
