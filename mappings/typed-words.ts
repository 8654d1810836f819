import { dispenseUnit, doseForm, route } from './tables.ts';

const tables: Readonly<Record<string, (text: string) => object>> = {
  'prescription.dose_form': (text) => doseForm.apply({ text }),
  'prescription.route_of_administration': (text) => route.apply({ text }),
  'prescription.dispense_unit': (text) => dispenseUnit.apply({ unit: text }),
};

/**
 * The service's word for a text that a person typed, looked up in the tables that read the chart: `tablet` for `Tabs`.
 * Undefined if no table has the text.
 */
export function typedWord(target: string, text: string): string | undefined {
  const found = tables[target]?.(text.trim().toLowerCase()) ?? {};
  return 'value' in found && typeof found.value === 'string' ? found.value : undefined;
}
