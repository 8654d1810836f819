import type { CodeableConcept, MedicationRequest } from 'fhir/r4.js';
import { labelOf } from '../fhir/concept.ts';
import type { Located } from '../fhir/graph.ts';
import { meaningful } from '../fhir/placeholder.ts';
import type { Node } from '../mapping/input.ts';
import type { Gap } from '../mapping/result.ts';
import { type Decision, emptyRoot, look, nodeAt, rootOf, type Scene } from '../roles/scene.ts';
import { type Instruction, oddities, regimenOf } from './regimen.ts';

/** The instructions of the order, their directions as one text, and how long the quantity lasts when that is certain. */
export function chooseDose(scene: Scene, drug: CodeableConcept | undefined): Decision {
  const { order } = scene;
  const instructions = instructionsOf(order.resource);
  const sig = sigOf(order, instructions);
  const regimen = regimenOf(order.resource, instructions, drug);
  return {
    roots: {
      dose: rootOf(instructions.map(({ dosage, index }) => nodeAt(order, dosage, `dosageInstruction[${index}]`))),
      sig,
      regimen:
        typeof regimen === 'string'
          ? emptyRoot(
              look(
                '%regimen',
                [
                  ['dosageInstruction', instructions.length],
                  ['a regular dose in the unit of the quantity', 0],
                ],
                regimen,
              ),
            )
          : rootOf([nodeAt(order, regimen.days, 'dosageInstruction[0]')], { note: regimen.note }),
    },
    questions: [...routesDiffer(instructions), ...oddities(order.resource, instructions, drug)],
  };
}

// Epic repeats an entry; a loading and a maintenance dose differ and are both kept.
function instructionsOf(order: MedicationRequest): Instruction[] {
  const all = (order.dosageInstruction ?? []).map((dosage, index): Instruction => {
    const clean = meaningful(dosage.patientInstruction);
    const text = clean ?? meaningful(dosage.text);
    return {
      dosage,
      index,
      text,
      element: clean !== undefined ? 'patientInstruction' : text === undefined ? undefined : 'text',
    };
  });
  const ordered = all.sort(
    (left, right) =>
      (left.dosage.sequence ?? left.index + 1) - (right.dosage.sequence ?? right.index + 1) || left.index - right.index,
  );
  return ordered.length < 2
    ? ordered
    : ordered.filter((one, position) => ordered.findIndex((other) => sameInstruction(other, one)) === position);
}

function sameInstruction(left: Instruction, right: Instruction): boolean {
  const bare = ({ dosage }: Instruction) => JSON.stringify({ ...dosage, sequence: undefined, id: undefined });
  return bare(left) === bare(right);
}

function sigOf(order: Located<MedicationRequest>, instructions: readonly Instruction[]): ReturnType<typeof rootOf> {
  const silent = instructions.filter(({ text }) => text === undefined).length;
  if (instructions.length === 0 || silent === instructions.length)
    return emptyRoot(
      look('%order.dosageInstruction', [
        ['dosageInstruction', instructions.length],
        ['patientInstruction or text, no placeholder', 0],
      ]),
    );
  if (silent > 0)
    return emptyRoot(
      look(
        '%order.dosageInstruction',
        [
          ['dosageInstruction', instructions.length],
          ['patientInstruction or text, no placeholder', instructions.length - silent],
        ],
        'one of the instructions has no text',
      ),
    );
  const [only] = instructions;
  if (only !== undefined && instructions.length === 1) return rootOf([textNode(order, only)]);
  const texts = [...new Set(instructions.map(({ text }) => text ?? ''))];
  return rootOf([nodeAt(order, { text: joined(texts) }, 'dosageInstruction')], {
    note: `${instructions.length} instructions, in the order of their sequence`,
  });
}

// The text keeps the address of the element it was read from.
function textNode(order: Located<MedicationRequest>, { index, text, element }: Instruction): Node {
  return nodeAt(order, { [element ?? 'text']: text }, `dosageInstruction[${index}]`);
}

function joined(texts: readonly string[]): string {
  return texts.reduce((whole, text) => `${whole}${/[.;!]$/.test(whole) ? '' : ';'} ${text}`);
}

// Service and form hold one route; mixed routes in one order are asked.
function routesDiffer(instructions: readonly Instruction[]): Gap[] {
  const routes = new Map(
    instructions.flatMap(({ dosage }) =>
      dosage.route === undefined
        ? []
        : [
            [
              JSON.stringify(dosage.route.coding?.map((coding) => coding.code) ?? dosage.route.text),
              dosage.route,
            ] as const,
          ],
    ),
  );
  if (routes.size < 2) return [];
  const options = [...routes.values()].map((route) => ({ value: plainRoute(route), label: labelOf(route) ?? '' }));
  return [
    {
      target: 'prescription.route_of_administration',
      severity: 'blocks',
      reason: 'choice',
      message: 'The order has instructions with different routes.',
      looks: [],
      options,
    },
  ];
}

// The service's words for routes are short and lower-case: "Subcutaneous route" is `subcutaneous`.
function plainRoute(route: CodeableConcept): string {
  return (labelOf(route) ?? '')
    .toLowerCase()
    .replace(/ ?\(.*\)$/, '')
    .replace(/ route$/, '');
}
