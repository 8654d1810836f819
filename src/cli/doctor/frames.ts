import type { Site } from '../../config/config.ts';
import { type DoctorFinding, note, ok } from './finding.ts';

export function frameFindings(site: Site, bridgeUrl: string): DoctorFinding[] {
  const isSecure = new URL(bridgeUrl).protocol === 'https:';
  const { frameAncestors } = site;
  return [
    frameAncestors.length === 0
      ? note(
          'Pages open in no frame: the EHR must open the app in a window or tab of its own.',
          'If it shows apps inside of its own pages, add its origins to "frameAncestors".',
        )
      : ok(
          `Pages open in frames of ${frameAncestors.join(', ')}; cookies are SameSite=None, Secure and Partitioned, ` +
            'so that browsers keep them there.',
        ),
    ...(isSecure ? [] : [note('BRIDGE_URL is http: browsers keep the cookies on this machine only.')]),
  ];
}
