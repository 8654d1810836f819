import type { Site } from '../config.ts';
import type { FhirApi } from '../fhir/api.ts';
import type { LaunchContext } from './store.ts';

/** Query parameters as the web server parsed them; nothing about their types is believed. */
export type Query = Readonly<Record<string, unknown>>;

/**
 * One SMART launch, open: whose chart, by whom, with which scopes. Made by `completeLaunch` and `open`, never kept
 * longer than one request.
 */
export interface Launch extends LaunchContext {
  readonly id: string;
  readonly site: Site;
  /** The registered FHIR base address. */
  readonly iss: string;
  /** ISO 8601 */
  readonly createdAt: string;
  /** When the session ends even when it is used; ISO 8601. */
  readonly endsAt: string;
}

/** Whose token may deliver to a patient's chart now, or that it must wait for somebody to open the chart. */
export type Access =
  | { readonly api: FhirApi; readonly by: 'session' | 'system' | 'refresh' }
  | { readonly waiting: 'next-launch' };
