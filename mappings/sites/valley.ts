import { from } from '../../src/core/mapping/words/rules.ts';
import type { SiteOverlay } from '../../src/core/overlay/site-overlay.ts';
import { text } from '../value-transforms.ts';

/**
 * An example: this site's EHR keeps the pharmacy routing in extensions of Coverage. Only the differences are listed.
 */
export const valley: SiteOverlay = {
  name: 'valley',
  'prior-auth': {
    insurance_content: {
      rx_bin: from(text, "%coverage.extension('http://valley.example.org/fhir/rx-bin').value", '%rxBin.value'),
      rx_pcn: from(text, "%coverage.extension('http://valley.example.org/fhir/rx-pcn').value", '%rxPcn.value'),
    },
  },
};
