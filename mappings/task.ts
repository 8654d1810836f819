import { defineMapping } from '../src/core/mapping/words/define.ts';
import { constant, each, from } from '../src/core/mapping/words/rules.ts';
import { type TaskOutput, TaskShape } from '../src/writeback/resources/shapes.ts';
import { taskStatus } from '../src/writeback/resources/transforms.ts';

/**
 * Maps a case to a FHIR Task in the patient's chart. src/writeback/resources/common.ts fills the roots, and
 * src/service/task-codes.ts has the status words. The Task does not claim a Da Vinci profile: PAS excludes
 * pharmacy-benefit drugs, and its Task is a request for attachments.
 */
export const task = defineMapping('task', TaskShape, {
  resourceType: constant('Task', 'the resource'),
  identifier: each('%case.identifier', { system: from('system'), value: from('value') }),
  basedOn: each('%case.order', { reference: from('$this') }),
  partOf: each('%case.partOf', { reference: from('$this') }),
  status: from(taskStatus, '%progress.taskStatus'),
  statusReason: { text: from('%progress.reason') },
  businessStatus: {
    coding: each('%progress.coding', { system: from('system'), code: from('code'), display: from('display') }),
    text: from('%progress.businessStatus'),
  },
  intent: constant('order', 'the work was ordered by the person who sent the request'),
  code: {
    coding: each('%case.fulfill', { system: from('system'), code: from('code'), display: from('display') }),
    text: from('%case.label'),
  },
  description: from('%case.description'),
  focus: { reference: from('%case.order') },
  for: { reference: from('%case.patient') },
  encounter: { reference: from('%case.encounter') },
  authoredOn: from('%case.sentAt'),
  lastModified: from('%case.changedAt'),
  requester: { reference: from('%case.requester.reference'), display: from('%case.requester.display') },
  owner: {
    display: constant(
      'Prior authorization service, through prior-auth-bridge',
      'the service is no resource of this EHR',
    ),
  },
  insurance: each('%case.coverage', { reference: from('$this') }),
  output: each<TaskOutput>('%output', {
    type: { text: from('type') },
    valueCodeableConcept: {
      coding: each('coding', { system: from('system'), code: from('code'), display: from('display') }),
      text: from('text'),
    },
    valueString: from('string'),
    valueDate: from('date'),
    valueReference: { reference: from('reference') },
  }),
});
