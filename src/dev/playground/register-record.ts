import { randomBytes, randomInt } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { BridgeError } from '../../core/errors.ts';
import { runMapping } from '../../core/mapping/run/run.ts';
import { candidateOrders, selectChart } from '../../core/roles/select.ts';
import { readDocuments } from '../../ehr/documents/read-documents.ts';
import type { Launch } from '../../ehr/smart/types.ts';
import type { Pull, Pulls } from '../../web/http/chart-reading.ts';
import { type Deps, rolesOfSite } from '../../web/http/deps.ts';
import { type LaunchParams, postedTo, sendPage } from '../../web/pages/launch/route.ts';
import { textOf } from '../../web/request/form.ts';
import { orderOf } from '../../web/request/order-request.ts';
import { html } from '../../web/ui/page.tsx';
import { type Recorded, recordedPolicy, recordFixture, sigsOf, textsNamedBy } from '../kit/record-fixture.ts';
import { RecordedPage, type RecordedView } from './recorded.tsx';

/** Names of mapping cases. A name states a behavior and becomes the name of a folder. */
const caseName = /^[a-z0-9]+(-[a-z0-9]+)*$/;

/**
 * `POST /app/:launch/orders/:order/record`, if the playground is on and has a folder for recordings. Makes the chart
 * from the EHR a mapping case without identifying data. What a person entered or chose on the review page is not
 * recorded. An order's directions are shown first, and kept only if the person confirms having read them. Nothing is
 * written if identifying data is still found.
 */
export function registerRecord(app: FastifyInstance, deps: Deps, pulls: Pulls): void {
  const { recordDir } = deps.config;
  if (recordDir === undefined) return;
  app.post<{ Params: LaunchParams & { order: string } }>(
    '/app/:launch/orders/:order/record',
    async (request, reply) => {
      const { launch, form, home } = await postedTo(deps, request);
      const order = orderOf(request);
      const review = `${home}/orders/${order}`;
      const answer = (view: Omit<RecordedView, 'review'>, status = 200) =>
        sendPage(reply, html(RecordedPage({ view: { ...view, review } })), status);
      const name = textOf(form, 'name');
      const folder = join(recordDir, name);
      if (!caseName.test(name) || name.length > 100)
        return answer(
          { problem: 'A name has small letters, digits and hyphens: quantity-only-in-the-initial-fill.' },
          400,
        );
      if (existsSync(folder)) return answer({ problem: `There is already a case of this name in ${recordDir}.` }, 409);
      const pull = await pulls.of(launch, { order });
      checkOrder(deps, launch, { pull, order });
      const { sigs, mark } = sigsOf(pull.entries, `MedicationRequest/${order}`);
      // The mark proves that exactly these directions were shown.
      if (sigs.length > 0 && textOf(form, 'sigs') !== mark)
        return answer({ ask: { here: request.url, token: textOf(form, 'token'), name, sigs, mark } });
      const keptSigs = textOf(form, 'keep') === mark ? sigs : [];
      const recorded = await record(deps, launch, { pull, order, keptSigs });
      if (recorded.refusals.length > 0) return answer({ refusals: recorded.refusals }, 422);
      await write(folder, recorded);
      return answer({ folder, files: Object.keys(recorded.files) });
    },
  );
}

function checkOrder(
  deps: Deps,
  launch: Launch,
  { pull, order }: { readonly pull: Pull; readonly order: string },
): void {
  const patient = `Patient/${launch.patient}`;
  const roles = rolesOfSite(deps, launch.site);
  const choosing = { roles, now: deps.clock(), site: launch.site };
  if (
    !candidateOrders(pull.entries, { ...choosing, patient }).some((one) => one.order === `MedicationRequest/${order}`)
  )
    throw new BridgeError('not_found', { what: 'the order' });
}

async function record(
  deps: Deps,
  launch: Launch,
  { pull, order, keptSigs }: { readonly pull: Pull; readonly order: string; readonly keptSigs: readonly string[] },
): Promise<Recorded> {
  const name = launch.site.mappings['prior-auth'];
  const mapping = deps.mappings['prior-auth'][name];
  if (mapping === undefined) throw new BridgeError('mapping_invalid', { site: launch.site.id, mapping: name });
  const roles = rolesOfSite(deps, launch.site);
  return recordFixture({
    entries: pull.entries,
    order: `MedicationRequest/${order}`,
    request: {
      now: deps.clock().toISOString(),
      site: recordedPolicy(launch.site),
      ...(name === 'prior-auth' ? {} : { mapping: { 'prior-auth': name } }),
    },
    map: async (entries, asked) =>
      runMapping(
        mapping,
        selectChart(entries, {
          order: asked.order,
          now: new Date(asked.now),
          site: asked.site,
          readings: await readDocuments(entries),
          roles,
        }),
      ),
    seed: randomBytes(32).toString('hex'),
    shiftDays: -7 * randomInt(4, 52),
    named: textsNamedBy(mapping, roles),
    drugNames: deps.mappings.drugNames,
    keptSigs,
  });
}

async function write(folder: string, { files }: Recorded): Promise<void> {
  try {
    await mkdir(folder, { recursive: true });
    for (const [file, content] of Object.entries(files))
      await writeFile(join(folder, file), `${JSON.stringify(content, undefined, 2)}\n`);
  } catch (cause) {
    throw new BridgeError('output_unusable', { folder }, { cause, next: 'Name another folder in BRIDGE_RECORD.' });
  }
}
