import { expect, test } from 'vitest';
import type { z } from 'zod';
import { CreateBenefitVerificationRequest } from '../../../src/core/contract/benefit-verification.ts';
import { CreatePriorAuthRequest as CurrentRequest } from '../../../src/core/contract/current.ts';
import { CreatePriorAuthRequest } from '../../../src/core/contract/documented.ts';
import { CreateEnrollmentRequest } from '../../../src/core/contract/enrollment.ts';
import type { Kind } from '../../../src/core/contract/kinds.ts';
import { validated } from '../../../src/core/mapping/issues.ts';
import { kindPages } from '../../../src/web/request/kind-pages.ts';
import { anchorOf, answerableSections } from '../../../src/web/request/labels.ts';

// What an empty request lacks, a person can enter: a gap without a place on the page could never be closed.
test.each<readonly [string, Kind, z.ZodType]>([
  ['prior authorization, documented', 'prior-auth', CreatePriorAuthRequest],
  ['prior authorization, current', 'prior-auth', CurrentRequest],
  ['enrollment', 'enrollment', CreateEnrollmentRequest],
  ['benefit verification', 'benefit-verification', CreateBenefitVerificationRequest],
])('every value that a request lacks has a place on the review page: %s', (_, kind, schema) => {
  const read = validated(schema, {});
  // The drug of a benefit verification is the order itself.
  const targets = 'issues' in read ? read.issues.map(({ path }) => path.join('.')).filter((at) => at !== 'drugs') : [];
  expect(targets.length).toBeGreaterThan(3);
  const { sections } = kindPages[kind];
  const lost = targets.filter((target) => {
    const anchor = anchorOf(target, sections);
    return !anchor.startsWith('field-') && !answerableSections.has(anchor);
  });
  expect(lost).toEqual([]);
});
