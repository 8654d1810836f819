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
   * Checks `iss` and `launch`, and returns the URL for the browser. `sessionId` is new for each launch; the browser
   * stores it under the launch's name until the callback. Throws issuer_unknown, site_disabled, launch_invalid,
   * discovery_failed, discovery_unsafe.
   */
  startLaunch(query: Query, sessionId: string): Promise<{ readonly redirect: string; readonly launch: string }>;
  /**
   * A standalone launch: a person starts at the bridge and signs in at the EHR, for the worklist without any chart, or
   * for a chart that the person picks there. Throws issuer_unknown, site_disabled, discovery_failed, discovery_unsafe.
   */
  startSignIn(
    request: SignInRequest,
    sessionId: string,
  ): Promise<{ readonly redirect: string; readonly launch: string }>;
  /**
   * Finishes the sign-in on `/callback/:site`. `sessionIds`: all session ids that the browser sent. If none belongs to
   * this launch, throws state_invalid; if there are none at all, the browser stores no cookies (cookies_blocked). The
   * returned `sessionId` replaces the one of this launch; other launches keep theirs.
   */
  completeLaunch(
    siteId: string,
    query: Query,
    sessionIds: readonly string[],
  ): Promise<{ readonly launch: Launch; readonly sessionId: string; readonly back?: string }>;
  /** Whether this response belongs to a sign-in without a chart, which `completeSignIn` must finish. */
  isSignIn(siteId: string, query: Query): Promise<boolean>;
  /** Like `completeLaunch`, for a sign-in without a chart. Also throws staff_only. */
  completeSignIn(
    siteId: string,
    query: Query,
    sessionIds: readonly string[],
  ): Promise<{ readonly staff: StaffSession; readonly sessionId: string }>;
  /**
   * Returns the `/launch?iss=…&launch=…` that restarts the sign-in of this response in a window that stores cookies;
   * undefined if the sign-in has ended or is unknown.
   */
  launchAddress(siteId: string, query: Query): Promise<string | undefined>;
  /**
   * Returns the launch if it belongs to this browser and its session is live. Throws launch_not_found or
   * relaunch_required. With `touch: false`, the call does not count as use, so that a page that polls does not keep an
   * idle session alive.
   */
  open(launchId: string, sessionId: string | undefined, options?: { readonly touch?: boolean }): Promise<Launch>;
  /**
   * Returns a launch of this browser whose session ended less than a day ago, so that text typed at that time can be
   * saved. It has no access to the chart. Undefined for any other launch.
   */
  ended(launchId: string, sessionId: string | undefined): Promise<Launch | undefined>;
  /**
   * Returns the signed-in member of staff, with or without a chart. Throws launch_not_found, relaunch_required,
   * staff_only.
   */
  staff(launchId: string, sessionId: string | undefined): Promise<StaffSession>;
  /**
   * Returns the launches that belong to this browser. `sent`: the session id that the browser sent for each launch.
   * Queries the store once for any number of launches.
   */
  own(sent: ReadonlyMap<string, string>): Promise<readonly string[]>;
  /** Counts as a use of a session, with or without a chart. Throws launch_not_found or relaunch_required. */
  keepAlive(launchId: string, sessionId: string | undefined): Promise<void>;
  /** Whether a member of staff has a chart (`Patient/123`) open in a live launch. */
  hasOpenChart(site: string, patient: string, fhirUser: string): Promise<boolean>;
  /**
   * FHIR access with the user's token, refreshed if needed. A write about another patient is refused before it is sent.
   * With `turn`, large documents are read only when `turn` allows.
   */
  api(launch: Launch, turn?: Turn): FhirApi;
  /**
   * FHIR access by SMART Backend Services. The site must have `writeback.system`. The token reaches every patient, so
   * prefer `accessFor`.
   */
  systemApi(site: Site): Promise<FhirApi>;
  /**
   * Access for a delivery, by the order in `site.writeback.tokens`; never with a token of another patient's launch.
   * `patient`: `Patient/123` or `123`.
   */
  accessFor(delivery: {
    readonly site: Site;
    readonly patient: string;
    readonly launch?: string;
  }): Promise<DeliveryAccess>;
  /**
   * Ends the session, with or without a chart. Revokes the tokens if the EHR supports it, ignoring failures, and
   * deletes everything about the launch.
   */
  logout(launch: Pick<Launch, 'id' | 'site'>): Promise<void>;
  /** Returns those of the launches that have ended or are unknown, so that browsers can discard their data. */
  over(launchIds: readonly string[]): Promise<readonly string[]>;
  /** Public keys for `/.well-known/jwks.json`. */
  jwks(): JSONWebKeySet;
  /** Deletes ended launches; returns how many were due. */
  purge(now: Date): Promise<number>;
}

export interface SmartOptions extends SitePartsOptions {
  readonly store: LaunchStore;
}

/**
 * Creates SMART access for the configured sites. Discovery, JWKS and system tokens are cached in memory; all data about
 * launches is in the store. Throws config_invalid if a site signs with a missing key.
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
