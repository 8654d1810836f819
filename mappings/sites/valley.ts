import { overlay } from '../../src/mapping/words/define.ts';
import { from } from '../../src/mapping/words/rules.ts';
import { priorAuth } from '../prior-auth.ts';
import { text } from '../values.ts';

/** An example: the EHR of this site keeps the pharmacy routing in extensions of Coverage. Only what differs stands here. */
export const valleyPriorAuth = overlay(priorAuth, 'prior-auth@valley', {
  insurance_content: {
    rx_bin: from(text, "%coverage.extension('http://valley.example.org/fhir/rx-bin').value", '%rxBin.value'),
    rx_pcn: from(text, "%coverage.extension('http://valley.example.org/fhir/rx-pcn').value", '%rxPcn.value'),
  },
});
