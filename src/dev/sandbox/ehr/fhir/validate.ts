import { isOperationOutcome, OperationOutcomeError, validateResource } from '@medplum/core';
import type { OperationOutcomeIssue, Resource } from '@medplum/fhirtypes';
import { Fhir } from 'fhir';

// Created on the first write, because the validator reads all value sets.
let bindings: Fhir | undefined;

/**
 * Throws an OperationOutcome that lists every error. One validator checks structure and invariants, another required
 * value sets, since neither checks both.
 */
export function assertValid(resource: Resource): void {
  const issues = [...structureIssues(resource), ...bindingIssues(resource)];
  if (issues.length > 0) throw new OperationOutcomeError({ resourceType: 'OperationOutcome', issue: issues });
}

function structureIssues(resource: Resource): OperationOutcomeIssue[] {
  try {
    return validateResource(resource).filter((issue) => issue.severity === 'error' || issue.severity === 'fatal');
  } catch (thrown) {
    if (thrown instanceof OperationOutcomeError && isOperationOutcome(thrown.outcome)) return thrown.outcome.issue;
    throw thrown;
  }
}

// Only this validator's value set errors are used. Its other checks refuse valid resources: it takes a boolean `false`
// for missing.
function bindingIssues(resource: Resource): OperationOutcomeIssue[] {
  bindings ??= new Fhir();
  return bindings
    .validate(resource)
    .messages.filter((message) => message.severity === 'error' && message.message?.endsWith('not found in value set'))
    .map((message) => ({
      severity: 'error',
      code: 'code-invalid',
      details: { text: 'The code is not in the required value set' },
      ...(message.location === undefined ? {} : { expression: [message.location] }),
    }));
}
