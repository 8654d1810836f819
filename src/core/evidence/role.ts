import type { MedicationRequest, Resource } from 'fhir/r4.js';
import type { Choice } from '../roles/chart.ts';
import type { Facts } from '../roles/facts.ts';
import type { Filled } from '../roles/filled.ts';
import { type ChosenEvidence, chooseEvidence } from './choose-evidence.ts';
import type { EvidenceChart } from './evidence-chart.ts';
import type { Knowledge } from './knowledge.ts';

/** Returns the function that fills the evidence role from these tables. Its results are computed on first access. */
export function evidenceFor(knowledge: Knowledge): (facts: Facts) => Filled {
  return (facts) => {
    const chart = evidenceChartOf(facts);
    return chart === undefined ? { root: { nodes: [] } } : new FilledEvidence(chooseEvidence(chart, knowledge));
  };
}

/** Undefined when the order cannot be used. */
export function evidenceChartOf(facts: Facts): EvidenceChart | undefined {
  const order = facts.resource<MedicationRequest>('order');
  if (order === undefined) return undefined;
  const { today, request, mine, resolve } = facts;
  return {
    order,
    today,
    readings: request.readings,
    ticked: request.answers.evidence,
    takesSuggested: request.site.evidence === 'suggested',
    mine: (type) => mine(type).filter(({ resource }) => !isModified(resource)),
    resolve,
  };
}

// FHIR R4 forbids using an element that an unknown modifier extension changes.
function isModified(resource: Resource): boolean {
  return resource.implicitRules !== undefined || Reflect.get(resource, 'modifierExtension') !== undefined;
}

// The getter of an object literal would keep the chart in memory, so this is a class.
class FilledEvidence implements Filled {
  readonly #chosen: ChosenEvidence;

  constructor(chosen: ChosenEvidence) {
    this.#chosen = chosen;
  }

  get root(): Filled['root'] {
    return this.#chosen.root;
  }

  choice(): Choice {
    const none = { role: 'evidence', reason: 'the chart holds nothing that could support the request', candidates: [] };
    return this.#chosen.choice() ?? none;
  }
}
