import type { CodeableConcept, Dosage, MedicationRequest } from 'fhir/r4.js';
import { labelOf } from '../fhir/concept.ts';
import { compareDays, type DaysReading, daysOf, type Supply } from '../fhir/dosage/days-supply.ts';
import { oddDose, unitsContradict } from '../fhir/dosage/odd-dose.ts';
import type { Located } from '../fhir/graph.ts';
import { meaningful } from '../fhir/placeholder.ts';
import { parseRxNormName } from '../fhir/rxnorm-name.ts';
import { daysOfDuration } from '../fhir/time/duration.ts';
import type { Node } from '../mapping/input.ts';
import type { Gap } from '../mapping/result.ts';
import { type Decision, emptyRoot, look, nodeAt, rootOf, type Scene } from '../roles/scene.ts';

/** One dosage of the order and what it tells the patient. */
interface Instruction {
  readonly dosage: Dosage;
  readonly index: number;
  readonly text: string | undefined;
  /** The element the text was read from. */
  readonly element: 'patientInstruction' | 'text' | undefined;
}

/** The instructions of the order, their directions as one text, and how long the quantity lasts when that is certain. */
export function chooseDose(scene: Scene, drug: CodeableConcept | undefined): Decision {
  const { order } = scene;
  const instructions = instructionsOf(order.resource);
  const sig = sigOf(order, instructions);
  const supply: Supply = {
    quantity: order.resource.dispenseRequest?.quantity,
    dosages: instructions.map(({ dosage }) => dosage),
    strength: solidStrength(drug),
  };
  const regimen = daysOf(supply);
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
    questions: [...routesDiffer(instructions), ...oddities(order.resource, supply, regimen)],
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

/** What does not fit together in dose, quantity and supply. All of it is sent as it stands; that it is odd is told. */
function oddities(order: MedicationRequest, { dosages, quantity, strength }: Supply, derived: DaysReading): Gap[] {
  const stated = daysOfDuration(order.dispenseRequest?.expectedSupplyDuration);
  const odd: Gap[] = [];
  const say = (target: string, message: string) =>
    odd.push({ target, severity: 'warns', reason: 'advice', message, looks: [] });
  if (typeof derived !== 'string' && compareDays(stated, derived).result === 'differs')
    say(
      'prescription.days_supply',
      `The stated supply of ${stated} days does not fit the quantity and the dose, which last ${derived.days}.`,
    );
  if (unitsContradict(dosages, quantity))
    say('prescription.quantity', 'Dose and quantity are in units that do not fit each other.');
  const implausible = oddDose(dosages, quantity, strength);
  if (implausible !== undefined) say('prescription.directions', implausible);
  return odd;
}

function solidStrength(
  drug: CodeableConcept | undefined,
): { readonly value: number; readonly unit: string } | undefined {
  const names = [...(drug?.coding ?? []).map((coding) => coding.display), drug?.text].flatMap((text) =>
    text === undefined ? [] : (parseRxNormName(text) ?? []),
  );
  const strengths = new Map(
    names
      .filter(
        (name) =>
          name.kind === 'drug' && name.ingredients.length === 1 && /\b(Tablet|Capsule)$/i.test(name.doseForm ?? ''),
      )
      .map((name) => [JSON.stringify(name.ingredients[0]?.strength), name.ingredients[0]?.strength]),
  );
  const [strength] = strengths.values();
  if (strength === undefined || strengths.size !== 1 || !/^(MG|MCG|G)$/.test(strength.unit)) return undefined;
  return { value: Number(strength.value), unit: strength.unit.toLowerCase() };
}
