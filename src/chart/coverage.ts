import type { Coverage, Organization } from 'fhir/r4.js';
import { hasCode, labelOf } from '../fhir/concept.ts';
import type { Located } from '../fhir/graph.ts';
import { meaningful } from '../fhir/placeholder.ts';
import { standing } from '../fhir/time/standing.ts';
import type { Gap, Option } from '../mapping/result.ts';
import type { Candidate } from '../roles/chart.ts';
import { type Decision, emptyRoot, look, nodeAt, rootOf, type Scene } from '../roles/scene.ts';

/** The coverage that pays for the drug, and its payer. Several that fit equally well are a question, never the first of them. */
export function chooseCoverage(scene: Scene): Decision {
  const all = [
    ...scene.mine('Coverage').map((coverage) => weigh(scene, coverage)),
    ...scene.linked('Coverage').map(ofLinkedRecord),
  ];
  const answered = all.find(({ coverage }) => coverage.reference === scene.answers.coverage);
  const fitting = all.filter(({ refusal }) => refusal === undefined);
  const best = fitting.filter(({ rank }) => rank === Math.min(...fitting.map((weighed) => weighed.rank)));
  const chosen = answered ?? (best.length === 1 ? best[0] : undefined);
  const reason = answered !== undefined ? 'chosen by a person' : reasonOf(all, best);
  const candidates = all.map((weighed) => candidateOf(scene, weighed, chosen, best));
  const warnings =
    answered?.refusal === undefined
      ? []
      : [`The chosen coverage (${planLabel(scene, answered.coverage)}) does not fit by itself: ${answered.refusal}.`];
  if (scene.answers.coverage !== undefined && answered === undefined)
    warnings.push('The chosen coverage is not among this patient’s coverages.');
  if (chosen === undefined) {
    const none = noCoverage(all);
    return {
      roots: { coverage: none, payer: none },
      choices: [{ role: 'coverage', reason, candidates }],
      questions: ask(best, candidates),
      warnings,
    };
  }
  const payer = payerOf(scene, chosen.coverage);
  return {
    roots: {
      coverage: rootOf([nodeAt(chosen.coverage, chosen.coverage.resource)], { note: reason }),
      payer:
        payer === undefined
          ? emptyRoot(
              look('%coverage.payor.resolve()', [
                ['Coverage', 1],
                ['payor', chosen.coverage.resource.payor?.length ?? 0],
                ['resolve().ofType(Organization)', 0],
              ]),
            )
          : rootOf([nodeAt(payer, payer.resource)]),
    },
    choices: [{ role: 'coverage', chosen: chosen.coverage.reference, reason, candidates }],
    questions: drugPlansElsewhere(scene, chosen.coverage),
    warnings,
  };
}

interface Weighed {
  readonly coverage: Located<Coverage>;
  /** Why it cannot pay for the drug. */
  readonly refusal: string | undefined;
  /** Smaller is better; see `weigh`. */
  readonly rank: number;
  readonly because: string;
}

// It may be the one that pays: a person is told of it, also where another coverage is chosen.
function drugPlansElsewhere(scene: Scene, chosen: Located<Coverage>): Gap[] {
  if (scene.answers.coverage !== undefined || isDrugBenefit(chosen.resource)) return [];
  const found = scene
    .linked('Coverage')
    .filter((coverage) => isDrugBenefit(coverage.resource) && refusalOf(scene, coverage) === undefined);
  if (found.length === 0) return [];
  const options = found.map(
    (coverage): Option => ({
      value: coverage.reference,
      label: planLabel(scene, coverage),
      reason: 'of a linked patient record',
    }),
  );
  return asked({
    severity: 'warns',
    message: 'A linked patient record has a drug benefit. Choose it if it pays for this drug.',
    options,
  });
}

const drugCodes = ['DRUGPOL', '122'] as const;
const otherBenefits = [
  'DENTPRG',
  'DENTAL',
  'DENT',
  'VISPOL',
  'LTC',
  'DIS',
  'LIFE',
  'UMBRL',
  'AUTOPOL',
  'HIRISK',
] as const;
const selfPayCodes = ['pay', '81', '82', 'SELFPAY'] as const;

/** The order's own insurance, then drug benefits over others, then `Coverage.order`. */
function weigh(scene: Scene, coverage: Located<Coverage>): Weighed {
  const { resource } = coverage;
  const named = (scene.order.resource.insurance ?? []).some(
    (reference) => scene.resolve(reference, scene.order, 'Coverage')?.reference === coverage.reference,
  );
  const drug = isDrugBenefit(resource);
  const rank = (named ? 0 : 10_000) + (drug ? 0 : 1_000) + Math.min(resource.order ?? 99, 999);
  const because = [
    named ? 'named by the order' : undefined,
    drug ? 'a drug benefit' : 'no sign of a drug benefit',
    resource.order === undefined ? undefined : `order ${resource.order}`,
  ]
    .filter((part) => part !== undefined)
    .join(', ');
  return { coverage, refusal: refusalOf(scene, coverage), rank, because };
}

// The same person by the EHR's word; whether its coverage is this patient's is for a person to say.
function ofLinkedRecord(coverage: Located<Coverage>): Weighed {
  return {
    coverage,
    refusal: 'it hangs on a linked patient record; only a person may choose it',
    rank: 99_999,
    because: 'of a linked patient record',
  };
}

function refusalOf(scene: Scene, { resource, reference }: Located<Coverage>): string | undefined {
  if (resource.status !== 'active') return `its status is ${resource.status ?? 'missing'}`;
  const lies = standing(resource.period, scene.today);
  if (lies === 'ended') return `it ended on ${resource.period?.end}`;
  if (lies === 'future') return `it begins on ${resource.period?.start}`;
  if (isSelfPay(scene, { resource, reference })) return 'it is self-pay';
  if (hasCode(resource.type, ...otherBenefits) || /\b(dental|vision)\b/i.test(labelOf(resource.type) ?? ''))
    return 'it is for another benefit (dental, vision, ...)';
  return undefined;
}

function isDrugBenefit(coverage: Coverage): boolean {
  return (
    hasCode(coverage.type, ...drugCodes) ||
    (coverage.class ?? []).some((entry) => hasCode(entry.type, 'rxbin', 'rxpcn', 'rxgroup', 'rxid'))
  );
}

function isSelfPay(scene: Scene, coverage: Located<Coverage>): boolean {
  const { resource } = coverage;
  if (hasCode(resource.type, ...selfPayCodes)) return true;
  const plans = (resource.class ?? [])
    .filter((entry) => hasCode(entry.type, 'plan'))
    .flatMap(({ name, value }) => [name, value]);
  const names = [
    labelOf(resource.type),
    ...plans,
    ...(resource.payor ?? []).flatMap((payor) => [
      payor.display,
      scene.resolve(payor, coverage, 'Organization')?.resource.name,
    ]),
  ];
  if (names.some((name) => /^\s*(self[- ]?pay|uninsured|no insurance)\b/i.test(name ?? ''))) return true;
  const payors = resource.payor ?? [];
  return (
    payors.length > 0 &&
    payors.every(
      (payor) =>
        scene.resolve(payor, coverage, 'Patient') !== undefined || /(^|\/)Patient\//.test(payor.reference ?? ''),
    )
  );
}

function payerOf(scene: Scene, coverage: Located<Coverage>): Located<Organization> | undefined {
  return (coverage.resource.payor ?? []).flatMap((payor) => scene.resolve(payor, coverage, 'Organization') ?? [])[0];
}

function reasonOf(all: readonly Weighed[], best: readonly Weighed[]): string {
  const [first] = best;
  if (first === undefined) return all.length === 0 ? 'the chart has no coverage' : 'no coverage of the chart fits';
  if (best.length > 1) return `${best.length} coverages fit equally well; a person chooses`;
  const fitting = all.filter(({ refusal }) => refusal === undefined).length;
  return fitting === 1
    ? `the only one that is active and in force (${first.because})`
    : `comes first of ${fitting} in force: ${first.because}`;
}

function candidateOf(scene: Scene, weighed: Weighed, chosen: Weighed | undefined, best: readonly Weighed[]): Candidate {
  const { coverage, refusal, because } = weighed;
  const place =
    weighed === chosen
      ? ''
      : !best.includes(weighed)
        ? 'comes after another: '
        : best.length > 1
          ? 'fits as well as another: '
          : 'fits best by itself: ';
  const reason = refusal ?? `${place}${because}`;
  return { reference: coverage.reference, label: planLabel(scene, coverage), fits: refusal === undefined, reason };
}

function planLabel(scene: Scene, coverage: Located<Coverage>): string {
  const plan = coverage.resource.class?.find((entry) => hasCode(entry.type, 'plan'));
  const payer = payerOf(scene, coverage)?.resource.name ?? coverage.resource.payor?.[0]?.display;
  const parts = [meaningful(payer), meaningful(plan?.name ?? plan?.value), meaningful(labelOf(coverage.resource.type))];
  return parts.filter((part) => part !== undefined).join(', ') || coverage.reference;
}

function ask(best: readonly Weighed[], candidates: readonly Candidate[]): Gap[] {
  if (best.length < 2) return [];
  const options: Option[] = candidates
    .filter((candidate) => best.some(({ coverage }) => coverage.reference === candidate.reference))
    .map(({ reference, label, reason }) => ({ value: reference, label, reason }));
  return asked({
    severity: 'blocks',
    message: 'Several coverages fit. Choose the one that pays for this drug.',
    options,
  });
}

// Each mapping has its own place for the insurance; a question without a place is not asked.
function asked(question: Pick<Gap, 'severity' | 'message'> & { readonly options: readonly Option[] }): Gap[] {
  return ['insurance_content', 'patient.insurance_details'].map((target) => ({
    target,
    reason: 'choice',
    looks: [],
    ...question,
  }));
}

function noCoverage(all: readonly Weighed[]): ReturnType<typeof emptyRoot> {
  const fitting = all.filter(({ refusal }) => refusal === undefined).length;
  const refused = all
    .flatMap(({ coverage, refusal }) => (refusal === undefined ? [] : [`${coverage.reference}: ${refusal}`]))
    .join('; ');
  return emptyRoot(
    look(
      '%coverage',
      [
        ['Coverage', all.length],
        ['active, in force, not self-pay', fitting],
        ['the one', 0],
      ],
      refused === '' ? undefined : refused,
    ),
  );
}
