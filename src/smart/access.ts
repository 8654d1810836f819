import type { Site } from '../config.ts';
import type { Apis } from './apis.ts';
import type { Access } from './launch.ts';
import { forPatient } from './patient-guard.ts';
import type { Room } from './room.ts';
import { isLive } from './sessions.ts';
import type { LaunchContext, LaunchRecord } from './store.ts';

/**
 * See `Smart.accessFor`. An open session of the delivery's own launch counts wherever the site allows a user's token.
 */
export async function accessFor(
  room: Room,
  apis: Apis,
  delivery: { readonly site: Site; readonly patient: string; readonly launch?: string },
): Promise<Access> {
  const { site } = delivery;
  const patient = delivery.patient.replace(/^Patient\//, '');
  const own = await ownLaunch(room, site, patient, delivery.launch);
  let failure: unknown;
  for (const way of site.writeback.tokens) {
    if (way === 'system') {
      try {
        return { api: forPatient(await apis.systemApi(site), patient), by: 'system' };
      } catch (error) {
        // a later way may still do; when none does, this failure says more than waiting
        failure = error;
      }
    }
    if (way === 'system' || own === undefined) continue;
    const userApi = () => apis.userApi(site, { id: own.record.id, patient, scopes: own.context.scopes });
    if (isLive(room, site, own.record)) return { api: userApi(), by: 'session' };
    if (way === 'refresh' && own.record.tokens?.refreshToken !== undefined) return { api: userApi(), by: 'refresh' };
  }
  if (failure !== undefined) throw failure;
  return { waiting: 'next-launch' };
}

/** The launch that may deliver: of this site, with this patient; anything else is as good as none. */
async function ownLaunch(
  room: Room,
  site: Site,
  patient: string,
  launch: string | undefined,
): Promise<{ record: LaunchRecord; context: LaunchContext } | undefined> {
  const record = launch === undefined ? undefined : await room.store.get(launch);
  const context = record?.context;
  return record !== undefined && record.site === site.id && record.tokens !== undefined && context?.patient === patient
    ? { record, context }
    : undefined;
}
