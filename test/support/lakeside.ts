import { priorAuth } from '../../mappings/prior-auth.ts';
import { text } from '../../mappings/values.ts';
import { overlay } from '../../src/mapping/words/define.ts';
import { from } from '../../src/mapping/words/rules.ts';

export const lakesidePriorAuth = overlay(priorAuth, 'prior-auth@lakeside', {
  insurance_content: {
    rx_bin: from(text, "%coverage.extension('https://fhir.lakeside.example/rx-bin').value", '%rxBin.value'),
  },
});
