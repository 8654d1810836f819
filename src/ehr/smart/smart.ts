import type { JSONWebKeySet } from 'jose';
import type { Site } from '../../config/config.ts';
import { BridgeError } from '../../core/errors.ts';
import type { FhirApi } from '../../core/fhir/api.ts';
import { accessFor, createApis } from './access.ts';
import { type SignInRequest, startLaunch, startSignIn } from './authorize.ts';
import { createCallback, isSignIn, launchAddress } from './callback.ts';
import { checkKeys } from './keys.ts';
import {
  endedLaunch,
  forget,
  hasOpenChart,
  keepAlive,
  launchesOver,
  openLaunch,
  openStaff,
  ownLaunches,
  purge,
} from './launch.ts';
import { makeSiteParts, type SitePartsOptions } from './site-parts.ts';
import type { LaunchStore } from './store.ts';
import { revoke } from './token-endpoint.ts';
import type { DeliveryAccess, Launch, Query, StaffSession, Turn } from './types.ts';

/**
 * SMART App Launch: sign-in from an EHR, sessions, tokens, guarded FHIR access. Every method throws only BridgeErrors.
 */
export interface Smart {
  /**
   * Checks `iss` and `launch`, and returns the address for the browser. `sessionId` is new for each launch: the browser
   * stores it under the name of the launch until the callback. Throws issuer_unknown, site_disabled, launch_invalid,
   * discovery_failed, discovery_unsafe.
   */
  startLaunch(query: Query, sessionId: string): Promise<{ readonly redirect: string; readonly launch: string }>;
  /**
   * A standalone launch: a person starts at the bridge and signs in at the EHR, for the worklist without any chart, or
   * for a chart that is picked there. Throws issuer_unknown, site_disabled, discovery_failed, discovery_unsafe.
   */
  startSignIn(
    request: SignInRequest,
    sessionId: string,
  ): Promise<{ readonly redirect: string; readonly launch: string }>;
  /**
   * Finishes the sign-in on `/callback/:site`. `sessionIds` are all that the browser sent. One of them must belong to
   * this launch (state_invalid); if there are none, the browser stores no cookies (cookies_blocked).
   * The returned `sessionId` replaces that one, which becomes invalid. Other launches keep theirs.
   */
  completeLaunch(
    siteId: string,
    query: Query,
    sessionIds: readonly string[],
  ): Promise<{ readonly launch: Launch; readonly sessionId: string; readonly back?: string }>;
  /** Whether this answer ends a sign-in without a chart: then `completeSignIn` finishes it. */
  isSignIn(siteId: string, query: Query): Promise<boolean>;
  /** The same as `completeLaunch` for a sign-in without a chart. Also throws staff_only. */
  completeSignIn(
    siteId: string,
    query: Query,
    sessionIds: readonly string[],
  ): Promise<{ readonly staff: StaffSession; readonly sessionId: string }>;
  /**
   * `/launch?iss=…&launch=…` of the sign-in that this answer belongs to, to restart it in a window that stores cookies;
   * undefined when it has ended or is unknown.
   */
  launchAddress(siteId: string, query: Query): Promise<string | undefined>;
  /**
   * The launch, if it belongs to this browser and its session is live; throws launch_not_found or relaunch_required.
   * `touch: false` does not count as use: a page that polls by itself must not keep an idle session alive.
   */
  open(launchId: string, sessionId: string | undefined, options?: { readonly touch?: boolean }): Promise<Launch>;
  /**
   * A launch of this browser whose session ended by time or by the EHR less than a day ago, so that the text being
   * typed at that time can be saved. It has no access to the chart. Undefined for any other.
   */
  ended(launchId: string, sessionId: string | undefined): Promise<Launch | undefined>;
  /** The signed-in member of staff, with or without a chart; throws launch_not_found, relaunch_required, staff_only. */
  staff(launchId: string, sessionId: string | undefined): Promise<StaffSession>;
  /**
   * The launches that belong to this browser, by the session id that it sent for each. One query to the store for any
   * number of launches.
   */
  own(sent: ReadonlyMap<string, string>): Promise<readonly string[]>;
  /** Counts as use of a session, with a chart or without one; throws launch_not_found or relaunch_required. */
  keepAlive(launchId: string, sessionId: string | undefined): Promise<void>;
  /** Whether a member of staff has a chart (`Patient/123`) open in a live launch. */
  hasOpenChart(site: string, patient: string, fhirUser: string): Promise<boolean>;
  /**
   * FHIR access with the user's token, refreshed when needed; writes about another patient are refused before they are
   * sent. Large documents are read when `turn` has come; without it at once.
   */
  api(launch: Launch, turn?: Turn): FhirApi;
  /**
   * FHIR access by SMART Backend Services; the site must have `writeback.system`. Reaches every patient: prefer
   * `accessFor`.
   */
  systemApi(site: Site): Promise<FhirApi>;
  /**
   * Access for a delivery, in the order of `site.writeback.tokens`; never a token of a launch with another patient.
   * `patient` is `Patient/123` or `123`.
   */
  accessFor(delivery: {
    readonly site: Site;
    readonly patient: string;
    readonly launch?: string;
  }): Promise<DeliveryAccess>;
  /**
   * Ends the session, with a chart or without one: revokes the tokens if the EHR supports it (best effort) and deletes
   * everything about the launch.
   */
  logout(launch: Pick<Launch, 'id' | 'site'>): Promise<void>;
  /** The launches that have ended or are unknown, so that browsers can discard their data. */
  over(launchIds: readonly string[]): Promise<readonly string[]>;
  /** Public keys for `/.well-known/jwks.json`. */
  jwks(): JSONWebKeySet;
  /** Deletes launches that have ended; returns their number. */
  purge(now: Date): Promise<number>;
}

export interface SmartOptions extends SitePartsOptions {
  readonly store: LaunchStore;
}

/**
 * Created from the configuration. Discovery, JWKS and system tokens are cached inside; all data about launches is in
 * the store.
 * Throws config_invalid when a site signs with a missing key.
 */
export function createSmart(options: SmartOptions): Smart {
  const parts = { ...makeSiteParts(options), store: options.store };
  checkKeys(parts);
  const apis = createApis(parts);
  const { userApi, systemApi } = apis;
  const complete = createCallback(parts, apis);
  return {
    startLaunch: (query, sessionId) => startLaunch(parts, query, sessionId),
    startSignIn: (request, sessionId) => startSignIn(parts, request, sessionId),
    isSignIn: (siteId, query) => isSignIn(parts, siteId, query),
    async completeLaunch(siteId, query, sessionIds) {
      const completed = await complete(siteId, query, sessionIds);
      if ('staff' in completed) throw new BridgeError('state_invalid');
      return completed;
    },
    async completeSignIn(siteId, query, sessionIds) {
      const completed = await complete(siteId, query, sessionIds);
      if ('launch' in completed) throw new BridgeError('state_invalid');
      const { staff, sessionId } = completed;
      return { staff: await openStaff(parts, staff, sessionId), sessionId };
    },
    launchAddress: (siteId, query) => launchAddress(parts, siteId, query),
    open: (launchId, sessionId, options) => openLaunch(parts, launchId, sessionId, options),
    ended: (launchId, sessionId) => endedLaunch(parts, launchId, sessionId),
    staff: (launchId, sessionId) => openStaff(parts, launchId, sessionId),
    own: (sent) => ownLaunches(parts, sent),
    keepAlive: (launchId, sessionId) => keepAlive(parts, launchId, sessionId),
    hasOpenChart: (site, patient, fhirUser) => hasOpenChart(parts, site, patient, fhirUser),
    api: (launch, turn) => userApi(launch.site, launch, turn),
    systemApi,
    accessFor: (delivery) => accessFor(parts, apis, delivery),
    async logout(launch) {
      const record = await forget(parts, launch.id);
      if (record?.tokens !== undefined) await revoke(parts, launch.site, record.tokens);
    },
    over: (launchIds) => launchesOver(parts, launchIds),
    jwks: () => parts.keys.publicJwks(),
    purge: (now) => purge(parts, now),
  };
}
