import { BridgeError } from '../core/errors.ts';
import { exit } from './exit.ts';
import type { AddCommand } from './io.ts';
import { patientArgument, storeHelp, withStore } from './store.ts';

const rekeyHelp = `
To change BRIDGE_KEYS without a moment's stop, in this order:
  1. the new key behind the old one, in every process:   BRIDGE_KEYS=old,new
  2. then the new key first, in every process:           BRIDGE_KEYS=new,old
  3. prior-auth-bridge rekey
  4. then the new key alone:                             BRIDGE_KEYS=new
Rows that no key opens are counted and left as they are; the command then ends with 1.
${storeHelp}`;

export const addRekey: AddCommand = (program, io, end) => {
  program
    .command('rekey')
    .description('Seal everything in the store anew under the first of BRIDGE_KEYS, so that older keys can go.')
    .addHelpText('after', rekeyHelp)
    .action(async () => {
      const { sealed, unreadable } = await withStore(io, (store) => store.maintenance.rekey());
      io.stdout.write(`${sealed} sealed anew\n`);
      if (unreadable > 0) io.stdout.write(`${unreadable} open under none of the keys and stay as they are\n`);
      end(unreadable > 0 ? exit.incomplete : exit.ok);
    });
};

const eraseHelp = `
Removes cases with their requests, records, letters, drafts and notes, launches, webhooks and jobs. What stays is the
audit trail, which names the patient by a mark alone, and marks by which a late webhook is known. Refused while a
request of the patient is under way or an outcome is on its way to the chart. What backups and the EHR hold is not
touched. Ends with 1 when the store holds nothing of the patient.
${storeHelp}

Example
  prior-auth-bridge erase Patient/123 --site valley`;

export const addErase: AddCommand = (program, io, end) => {
  program
    .command('erase')
    .description('Remove all that the store holds of one patient.')
    .argument('<patient>', 'the patient at the site’s EHR: Patient/123, or the id alone', patientArgument)
    .requiredOption('--site <id>', 'the site')
    .addHelpText('after', eraseHelp)
    .action(async (patient: string, { site }: { readonly site: string }) => {
      const erased = await withStore(io, async (store, sites) => {
        if (!sites.includes(site))
          throw new BridgeError('config_invalid', { problems: [`--site: the sites file has no site ${site}`] });
        return await store.maintenance.erase(site, patient);
      });
      const { cases, launches, webhooks, jobs } = erased;
      io.stdout.write(`erased: ${cases} cases, ${launches} launches, ${webhooks} webhooks, ${jobs} jobs\n`);
      const isNobody = cases + launches + webhooks + jobs === 0;
      if (isNobody) io.stderr.write(`The store holds nothing of this patient at ${site}. Check the id and the site.\n`);
      end(isNobody ? exit.incomplete : exit.ok);
    });
};
