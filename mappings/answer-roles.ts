import { ageAround } from '../src/core/answers/age.ts';
import { answering } from '../src/core/answers/answering.ts';
import { concurrentAround } from '../src/core/answers/concurrent.ts';
import { dispensedAround } from '../src/core/answers/dispensed.ts';
import { indicationsAround } from '../src/core/answers/indication.ts';
import { intolerancesAround } from '../src/core/answers/intolerance.ts';
import type { AnswerKnowledge } from '../src/core/answers/knowledge.ts';
import { productAround } from '../src/core/answers/ordered-product.ts';
import { placesAround } from '../src/core/answers/place.ts';
import { missingTests, responsesAround, scoresAround, testsAround, vitalsAround } from '../src/core/answers/results.ts';
import { therapyAround } from '../src/core/answers/therapy.ts';
import { lengthAround } from '../src/core/answers/therapy-length.ts';
import { trialsAround } from '../src/core/answers/trials.ts';
import type { RoleTable } from '../src/core/roles/define.ts';
import { all, computed, not, pick, says, when } from '../src/core/roles/index.ts';
import { withRules } from '../src/core/roles/role-change.ts';
import { knowledge as drugs } from './drug-roles.ts';
import { knowledge as evidence } from './knowledge/index.ts';
import { places } from './knowledge/places.ts';
import { providerRoles } from './knowledge/provider-roles.ts';
import { bodySurfaceArea, scores } from './knowledge/scores.ts';
import { stopReasons, stopWords } from './knowledge/stop-reasons.ts';
import { supplyWords } from './knowledge/supply-words.ts';
import { roles } from './roles.ts';

/**
 * The knowledge tables that the answers sheet and a site's criteria use in addition to the chart.
 *
 * @example answerKnowledge.evidence.classesOf('adalimumab')[0]?.name // 'immunomodulators for inflammatory disease'
 */
export const answerKnowledge: AnswerKnowledge = {
  ...{ evidence, drugs, stopReasons, stopWords, places, supplyWords },
  scores: [...scores, bodySurfaceArea],
};

const isRole = Object.keys(providerRoles.nucc).map((code) => `code = '${code}'`);
const namesSpecialty = `coding.exists(system = %nucc and (${isRole.join(' or ')}).not())`;

/** Roles that only the answers sheet reads, not the requests. */
export const answerRules = {
  indication: computed({
    types: ['concept', 'condition', 'notes'],
    reads: ['order', 'patient', 'diagnosis'],
    fill: {
      name: 'indications',
      sentence: 'the reasons of the order, or those that a person chose; a proposal that nobody confirmed is none',
      // The kind of the role's value. A diagnosis typed by a person is not a fact of the chart.
      call: answering(answerKnowledge, indicationsAround, (facts) => facts.root('diagnosis').kind),
    },
  }),
  age: computed({
    types: ['years', 'months', 'died'],
    reads: ['patient', 'order'],
    fill: {
      name: 'age',
      sentence: 'the age on the day of the request, of a whole birth date, and a date of death that is not later',
      call: answering(answerKnowledge, ageAround),
    },
  }),
  history: computed({
    types: ['therapy', 'dispensed', 'trial', 'concurrent', 'intolerance'],
    reads: ['order', 'patient', 'diagnosis'],
    fill: {
      name: 'drugHistory',
      sentence:
        'what was ordered, told, dispensed and given: of the ordered drug as one therapy, with the fills of this ' +
        'order; of drugs of its class, of ' +
        'those that usually come before it and of those for the same diagnosis as trials, divided where the time ' +
        'without supply is longer than the site allows; those of the class that are taken now; allergies to drugs, ' +
        'and drugs that were stopped because they were not tolerated or must not be taken',
      call: answering(answerKnowledge, (around, facts) => [
        ...therapyAround(around, facts),
        ...dispensedAround(around),
        ...trialsAround(around, facts),
        ...concurrentAround(around, facts),
        ...intolerancesAround(around, facts),
      ]),
    },
  }),
  product: computed({
    types: ['product'],
    reads: ['order', 'patient', 'drug'],
    fill: {
      name: 'orderedProduct',
      sentence:
        'the ordered drug as its names say it: brand, ingredients and kind of release, each for itself; the ' +
        'ingredients of a brand also by the tables',
      call: answering(answerKnowledge, productAround),
    },
  }),
  course: computed({
    types: ['length'],
    reads: ['order', 'patient', 'dose'],
    fill: {
      name: 'lengthOfDoses',
      sentence:
        'how long an order of several doses lasts: from the first start to the last end, or the sum of doses that ' +
        'follow each other; nothing where one of them has no end or none says which comes first',
      call: answering(answerKnowledge, lengthAround),
    },
  }),
  measured: computed({
    types: ['test', 'missing', 'score', 'response', 'vital'],
    reads: ['order', 'patient', 'diagnosis'],
    fill: {
      name: 'measures',
      sentence:
        'final results with a value and a date: the tests that are commonly asked for with the drug’s class, those ' +
        'of them that the chart lacks, the scores that measure the disease of the order, the same measure before the ' +
        'first dose and now, vital signs',
      call: answering(answerKnowledge, (around, facts) => [
        ...testsAround(around),
        // A test counts as missing only if the chart's Observations were read.
        ...(facts.request.unread?.includes('Observation') === true ? [] : missingTests(around)),
        ...scoresAround(around),
        ...responsesAround(around),
        ...vitalsAround(around),
      ]),
    },
  }),
  place: computed({
    types: ['words'],
    reads: ['order', 'patient'],
    fill: {
      name: 'places',
      sentence:
        'where the drug is given, in the words of the order’s directions and notes: no words that leave it open, ' +
        'tell of earlier doses or of another drug, or are sensitive',
      call: answering(answerKnowledge, placesAround),
    },
  }),
  specialty: pick(
    ['CodeableConcept'],
    [
      '%prescriberRole.specialty',
      // a degree or a license is not a specialty
      '%prescriber.qualification.code.where(coding.where(system = %nucc).exists())',
      '%prescriberRole.code',
    ],
    {
      unless: [
        all(
          [says('(text | coding.display | coding.code).first()', providerRoles.words), not(when(namesSpecialty))],
          'it is a role or a degree, no specialty',
        ),
      ],
    },
  ),
};

/**
 * A role table with the additional roles of the answers sheet.
 *
 * @example const table = withAnswerRoles(roles);
 */
export function withAnswerRoles(over: RoleTable): RoleTable {
  return withRules(over, over.name.replace(/^roles/, 'answer-roles'), answerRules);
}

/**
 * The roles of the package's own answers sheet.
 *
 * @example answerRoles.has('history') // true
 */
export const answerRoles = withAnswerRoles(roles);
