import { test } from 'vitest';
import { mappings } from '../../mappings/index.ts';

test('q', () => {
  for (const m of [mappings['prior-auth']['prior-auth'], mappings.enrollment.enrollment]) {
    for (const role of mappings.roles.names)
      for (const q of mappings.roles.questions(role))
        console.log(
          m!.name,
          role,
          q.part ?? '',
          q.severity,
          JSON.stringify(m!.questionPlace({ role, ...(q.part ? { part: q.part } : {}) })?.target),
        );
  }
  console.log([...mappings.roles.dependsOn('group')], [...mappings.roles.dependsOn('memberNumber')]);
});
