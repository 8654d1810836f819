import type { Located } from '../fhir/graph.ts';
import type { Candidate } from '../roles/chart.ts';
import { type Decision, nodeAt, rootOf, type Scene } from '../roles/scene.ts';
import { allergies } from './allergies.ts';
import type { EvidenceItem, Finding } from './item.ts';
import { notes } from './notes.ts';
import { observed } from './observations.ts';
import { problems } from './problems.ts';
import { suggestionFor } from './suggest.ts';
import { focalDrug, therapies } from './therapies.ts';

/**
 * Everything of the chart that could support the request, and what of it goes: what a person ticked (`answers.evidence`); where nobody has chosen yet,
 * nothing, or with the site's policy `suggested` what is suggested for this drug. Sensitive findings go only when a person ticks them.
 */
export function chooseEvidence(scene: Scene): Decision {
  const found = [...problems(scene), ...therapies(scene), ...allergies(scene), ...observed(scene), ...notes(scene)];
  if (found.length === 0) return { roots: { evidence: rootOf([]) } };
  const offers = found.map(offerer(scene));
  const taken = offers.filter(({ candidate }) => candidate.taken === true);
  const nodes = taken.map(({ finding, located }) => ({ ...nodeAt(located, itemOf(finding)), whole: true as const }));
  const { answers, site } = scene;
  const byPolicy = answers.evidence === undefined && site.evidence === 'suggested';
  const who = byPolicy ? 'suggested, and taken by the site’s policy' : 'ticked by a person';
  const reason =
    nodes.length === 0 ? 'nothing is sent unless it is ticked' : `${nodes.length} of ${found.length} ${who}`;
  return {
    roots: { evidence: rootOf(nodes, { note: who }) },
    choices: [{ role: 'evidence', reason, candidates: offers.map(({ candidate }) => candidate) }],
  };
}

interface Offer {
  readonly finding: Finding;
  /** The member whose reference names the finding to the outside. */
  readonly located: Located;
  readonly candidate: Candidate;
}

function offerer(scene: Scene): (finding: Finding) => Offer {
  const { answers, site } = scene;
  const ticks = new Set(answers.evidence);
  const suggestionOf = suggestionFor(focalDrug(scene).name);
  return (finding) => {
    // A tick stays with its finding when newer members join it.
    const ticked = finding.members.find(({ reference }) => ticks.has(reference));
    const located = ticked ?? finding.members[0] ?? scene.order;
    const suggestion = suggestionOf(finding);
    const refusal = finding.date === undefined ? 'it has no date' : finding.unfit;
    const isTaken =
      refusal === undefined &&
      (answers.evidence === undefined
        ? site.evidence === 'suggested' && suggestion !== undefined
        : ticked !== undefined);
    const because = isTaken ? (ticked === undefined ? 'taken by the site’s policy' : 'ticked by a person') : undefined;
    const caution =
      finding.sensitive === undefined ? undefined : `sensitive (${finding.sensitive}): sent only when you tick it`;
    const candidate: Candidate = {
      reference: located.reference,
      label: finding.date === undefined ? finding.title : `${finding.title}, ${finding.date.slice(0, 10)}`,
      fits: refusal === undefined,
      reason: refusal ?? because ?? caution ?? (suggestion === undefined ? 'not ticked' : `suggested: ${suggestion}`),
      group: finding.type,
      suggested: suggestion !== undefined,
      ...(finding.sensitive === undefined ? {} : { sensitive: finding.sensitive }),
      ...(finding.detail === undefined ? {} : { detail: finding.detail }),
      ...(isTaken ? { taken: true } : {}),
    };
    return { finding, located, candidate };
  };
}

function itemOf({ title, type, date, facts }: Finding): EvidenceItem {
  return { title, type, date_created: date ?? '', content: facts() };
}
