import { chooseCard } from '../src/core/roles/functions/card.ts';
import { hasOddDose } from '../src/core/roles/functions/supply-days.ts';
import {
  advises,
  agree,
  all,
  any,
  ask,
  asksBetween,
  blank,
  blocks,
  by,
  choose,
  coded,
  computed,
  defineRoles,
  doubts,
  ended,
  every,
  first,
  follow,
  future,
  given,
  has,
  joined,
  labelled,
  last,
  latest,
  leave,
  lowest,
  namedBy,
  namedDraft,
  not,
  oneOf,
  only,
  otherDose,
  otherDrug,
  own,
  pick,
  pointsAt,
  pointsOnlyAt,
  pointsToSame,
  readBy,
  reasons,
  refusedBy,
  sameAs,
  sameNumber,
  says,
  sensitive,
  together,
  twoDirections,
  undated,
  unmarked,
  unreadModifier,
  uses,
  warn,
  when,
} from '../src/core/roles/index.ts';
import { drugRoles, knowledge as knowledgeOfDrugs } from './drug-roles.ts';
import { countryOf, daysSupply, evidence, program } from './functions.ts';
import { discountCardWords } from './knowledge/discount-cards.ts';
import { doubtWords } from './knowledge/doubt-words.ts';
import { knowledge } from './knowledge/index.ts';
import { identifier, letterBox, markedNpi, npiValue } from './value-transforms.ts';

/**
 * The roles of a request: which resource, or which part of one, fills each role; what excludes a candidate, what is
 * preferred, and what a tie asks. Mappings read only roles; a role's question appears at the leaves that read it.
 */

// FHIR R4 forbids the use of an element with a modifier extension that the reader does not know.
const isExtended = when(
  'modifierExtension.exists()',
  'it carries a modifier extension, which may change what it means',
);
const isUnderOwnRules = when('implicitRules.exists()', 'it was written under rules of its own (implicitRules)');
const isModified = when(
  'modifierExtension.exists() or implicitRules.exists()',
  '{reference} carries a modifier extension. Check what it means.',
);

// Periods are compared with the day of the request in the site's time zone.
const notCurrent = [ended('period', 'its period is over'), future('period', 'its period has not begun')];
const isRequester = sameAs('%order.requester', 'the order names it as its requester');
const isOld = when("use = 'old'", 'its use is old');

const diedOnNoDate = any([
  undated('deceased.ofType(dateTime)'),
  all([when('deceased.ofType(dateTime).exists()'), blank(['deceased.ofType(dateTime)'])]),
]);

// A date of death after the day of the request only warns, because the death was not known on that day.
const diesLater = future('deceased.ofType(dateTime)');

const isDeceased = when('deceased.ofType(boolean) = true or deceased.ofType(dateTime).exists()');

const noMail = refusedBy(letterBox, '$this');

const nameRules = {
  unless: [...notCurrent, blank(['family', 'given'], 'it has neither family nor given name')],
  prefer: [
    last(any([blank(['family']), blank(['given'])], 'half of it is missing')),
    uses('official', 'usual', unmarked, 'temp', 'nickname'),
    latest('period.start'),
  ],
  same: ['family', 'given'],
} as const;

const addressParts = ['line', 'city', 'state', 'postalCode'];
const notAnAddress = [...notCurrent, blank(addressParts, 'it has no line, city, state or postal code')];

const notANumber = [...notCurrent, blank(['value'], 'it has no value')];

const drugBenefit = any(
  [
    coded('type', ['DRUGPOL', '122']),
    coded('class.type', ['rxbin', 'rxpcn', 'rxgroup', 'rxid', 'bin', 'pcn']),
    says('class.type', /^\s*rx[\s.]*(?:bin|pcn|group)\s*$/i),
  ],
  'marked as a pharmacy benefit',
);
// "Medical, Dental & Vision" is also a medical plan, so the text must name only dental or vision.
const otherBenefit = any(
  [
    coded('type', ['DENTPRG', 'DENTAL', 'DENT', 'VISPOL', 'LTC', 'DIS', 'LIFE', 'UMBRL', 'AUTOPOL', 'HIRISK']),
    all([says('type', /\b(dental|vision)\b/i), not(says('type', /\b(medical|health|drug|pharmacy|rx)\b/i))]),
  ],
  'it is for another benefit (dental, vision, ...)',
);
// "Self-Pay Solutions PPO" is a plan, so the whole text must be about self-pay.
const payWords = 'self[- ]?pay|uninsured|no insurance';
const besidePay = 'cash|patients?|plan|only|discount(?:ed)?|generic|default|rates?|account|on file|\\d{1,3}%';
const selfPayWords = new RegExp(
  `^\\s*(?:(?:cash|private)[\\s/,(&:-]+)?(?:${payWords})(?:[\\s/,()&:-]+(?:${payWords}|${besidePay}))*[\\s)]*$`,
  'i',
);
const selfPay = any(
  [
    coded('type', ['pay', '81', '82', 'SELFPAY']),
    says('type', selfPayWords),
    says("class.where(type.coding.exists(code = 'plan')).name", selfPayWords),
    says("class.where(type.coding.exists(code = 'plan')).value", selfPayWords),
    says('payor.display', selfPayWords),
    says('payor.resolve().ofType(Organization).name', selfPayWords),
    pointsOnlyAt('payor', ['Patient']),
  ],
  'it is self-pay',
);
const discountCard = any(
  [
    says('type', discountCardWords),
    says('type.coding.code', discountCardWords),
    says("class.where(type.coding.exists(code = 'plan')).name", discountCardWords),
    says("class.where(type.coding.exists(code = 'plan')).value", discountCardWords),
  ],
  'it is a discount or copay card, not a plan',
);
// Codes of HL7 v3 ActCode and of the Source of Payment Typology. Medicaid pays after every other plan (42 CFR 433.139).
const paysLast = any(
  [
    coded('type', ['MEDICAID', 'SUBSIDIZ', '2', '21', '211']),
    says('type', /\bmedicaid\b/i),
    says('payor.display', /\bmedicaid\b/i),
    says('payor.resolve().ofType(Organization).name', /\bmedicaid\b/i),
    says("class.where(type.coding.exists(code = 'plan')).name", /\bmedicaid\b/i),
    says("class.where(type.coding.exists(code = 'plan')).value", /\bmedicaid\b/i),
  ],
  'it pays last',
);
// A verification status may also be given only in words.
const verified = (codes: readonly string[], words: string, text: string) =>
  any(
    [coded('verificationStatus', codes), says('verificationStatus', new RegExp(`^\\s*(?:${words})\\s*$`, 'i'))],
    text,
  );
const isRefuted = verified(
  ['refuted', 'entered-in-error'],
  'refuted|ruled out|entered[ -]in[ -]error',
  'it is refuted or entered in error',
);
const isDifferential = verified(['differential'], 'differential', 'it is one of several that are possible');
const isUnconfirmed = verified(['unconfirmed', 'provisional'], 'unconfirmed|provisional', 'it is not confirmed');

const doubted = 'its words say that it is not certain';
const labelIn = (concept: string) => `iif(${concept}text.exists(), ${concept}text, ${concept}coding.display)`;
// A diagnosis whose words express doubt is not sent, because its code would state it as certain. A Z code is not a
// disease, so its display may contain such words (Z32.00 "Possible pregnancy").
const isDoubted = (concept: string) =>
  all([says(labelIn(concept), doubtWords.words), not(when(`${concept}coding.exists(code.startsWith('Z'))`))], doubted);
const notMedicaid = not(paysLast, 'another plan');

const drugWords = [
  'medication.ofType(CodeableConcept).text',
  'medication.ofType(CodeableConcept).coding.display',
  'medication.ofType(CodeableConcept).coding.code',
  'medication.ofType(Reference).resolve().ofType(Medication).code.text',
  'medication.ofType(Reference).resolve().ofType(Medication).code.coding.display',
  'medication.ofType(Reference).resolve().ofType(Medication).code.coding.code',
  'medication.ofType(Reference).display',
].join(' | ');

const drugRecord = 'medication.ofType(Reference).resolve().ofType(Medication)';

const payorName = '(resolve().ofType(Organization).name | display).first()';

const isNamedDraft = namedDraft('it is not signed');

// HL7 coverage-class codes in the spellings that systems use, under any code system.
const capital = (code: string) => `${code.charAt(0).toUpperCase()}${code.slice(1)}`;
const spelled = (code: string) => [code, code.toUpperCase(), capital(code)];
const ofRx = (name: string) => {
  const [lower = '', upper = '', first = ''] = spelled(name);
  return [`rx${lower}`, `RX${upper}`, `Rx${upper}`, `Rx${first}`];
};
const isClass = (codes: readonly string[]) =>
  `type.coding.exists(${codes.map((code) => `code = '${code}'`).join(' or ')})`;

const readNumber = readBy(identifier, { aspect: 'value', member: 'value' });
const ofSubscriber =
  "%coverage.where(relationship.coding.exists(code != 'self').not())" +
  `.where(class.exists(${isClass(ofRx('id'))} and value = %memberNumber.value).not())`;

const planNumber = (name: string, codes: readonly string[]) =>
  pick(['Coverage.class'], [`%coverage.class.where(${isClass(codes)})`], numberRules(name));

/** A number on the drug card. A class without a code is recognized only if its text matches `words`. */
const cardNumber = (name: string, words: RegExp, codes: readonly string[]) => {
  const rules = numberRules(name);
  return pick(
    ['Coverage.class'],
    [`%coverage.class.where(${isClass(codes)} or type.exists(coding.code.empty() and text.exists()))`],
    {
      ...rules,
      unless: [
        all([when('type.coding.code.empty()'), not(says('type', words))], 'its type says something else'),
        ...rules.unless,
      ],
    },
  );
};

const numberRules = (name: string) =>
  ({
    unless: [blank(['value', 'name'], 'it has no value'), isExtended],
    same: ['value'],
    tie: ask(`The plan states ${name} twice. Which one is on the card?`, { option: 'value' }),
  }) as const;

const { drug, route, supplyUnit } = drugRoles((transform) => transform);

/**
 * The roles that the package's requests read. A custom table may replace single rules.
 *
 * @example
 * const myRoles = defineRoles(
 *   'my-roles',
 *   { ...roles.rules, visit: follow('%order.encounter', ['Encounter']) },
 *   roles.options,
 * );
 */
export const roles = defineRoles(
  'roles',
  {
    // ---------------------------------------------------------------- not in any chart: values of the sites file, and
    // the id that the bridge gives a request. A missing key leaves its leaf absent, without a question.
    site: own('site', 'country', 'mrnSystem', 'fax'),
    submission: own('submission', 'id'),
    program,

    // ---------------------------------------------------------------- the order
    // The order that the request names. A batch maps every matching order of the patient separately.
    order: given('MedicationRequest', {
      unless: [
        all([oneOf('status', ['active']), not(isNamedDraft)], 'it is {status|without a status}'),
        oneOf(
          'intent',
          ['order', 'original-order', 'reflex-order', 'filler-order'],
          'its intent is {intent|missing}, not an order',
        ),
        when('doNotPerform = true', 'it says not to give the drug'),
        when('reported.ofType(boolean) = true', 'it is reported, not ordered here'),
        when('reported.ofType(Reference).exists()', 'it is reported by someone else, not ordered here'),
        pointsAt('requester', ['Patient', 'RelatedPerson'], 'its requester is the patient: it is self-reported'),
        any([coded('category', ['inpatient']), says('category', /^\s*inpatient\s*$/i)], 'it is given in the hospital'),
        when(
          'modifierExtension.exists() or dispenseRequest.modifierExtension.exists() or ' +
            'dispenseRequest.initialFill.modifierExtension.exists() or dosageInstruction.modifierExtension.exists()',
          'it carries a modifier extension, which may change what the order means',
        ),
        isUnderOwnRules,
        when(`${drugRecord}.status = 'entered-in-error'`, 'its drug was entered in error'),
        when(
          `${drugRecord}.modifierExtension.exists() or ${drugRecord}.implicitRules.exists() or ` +
            `${drugRecord}.ingredient.modifierExtension.exists()`,
          'the record of its drug carries a modifier, which may change what it means',
        ),
      ],
      refused: {
        severity: 'blocks',
        reason: 'invalid',
        message: 'No request can be made for this order: {reason}.',
      },
      asks: [
        blocks(isNamedDraft, 'This order is not signed. Sign it in the EHR; it can be sent after that.'),
        advises(future('authoredOn'), 'The order is dated in the future.', 'authoredOn'),
      ],
      label: [drugWords],
      warns: [
        ended('dispenseRequest.validityPeriod', '{reference} was valid until {dispenseRequest.validityPeriod.end}.'),
        when('substitution.allowed.ofType(boolean) = false', '{reference} does not allow a substitution.'),
      ],
    }),
    encounter: follow('%order.encounter', ['Encounter']),

    // ---------------------------------------------------------------- the patient
    patient: given('Patient', {
      asks: [
        blocks(
          when("link.exists(type = 'replaced-by')"),
          'This patient record was merged into another one. Open that chart and start from there.',
        ),
        blocks(
          any([unreadModifier(), diedOnNoDate]),
          'A part of the patient record that may change what it means could not be read. Correct it in the EHR.',
          'uncertain',
        ),
        // Blocks instead of warning, because nobody reads the warnings of a batch.
        blocks(
          isModified,
          'The patient record carries a modifier that may change what it means. Check it in the EHR.',
          'uncertain',
        ),
        doubts(all([isDeceased, not(diedOnNoDate), not(diesLater)]), 'deceased', 'birthDate', 'birthDate'),
        doubts(future('birthDate'), 'born_in_future', 'birthDate'),
        doubts(says('birthDate', /^(?:0\d{3}|1[0-8]\d{2})(?:-|$)/), 'born_before_1900', 'birthDate', 'birthDate'),
      ],
      warns: [
        all(
          [not(when("link.exists(type = 'replaced-by')")), when('active = false')],
          'The patient record is marked as not active.',
        ),
        all([isDeceased], 'The patient is recorded as deceased.'),
      ],
    }),
    name: pick(['HumanName'], ['%patient.name'], {
      ...nameRules,
      tie: warn('The chart has several current names of the same standing; the first is used.', 'family'),
    }),
    address: pick(['Address'], ['%patient.address'], {
      unless: notAnAddress,
      prefer: [
        last(noMail),
        uses('home', unmarked, 'temp', 'work', 'billing'),
        last(when("type = 'postal'", 'it is for mail only')),
        latest('period.start'),
      ],
      same: addressParts,
      tie: warn('The chart has several current addresses of the same standing; the first is used.'),
      asks: [doubts(noMail, 'no_mail', 'line', 'line')],
    }),
    addressCountry: countryOf('address'),
    contact: every(['ContactPoint'], ['%patient.telecom'], {
      unless: notANumber,
      prefer: [uses('mobile', 'home', unmarked, 'work', 'temp'), lowest('rank')],
    }),
    recordNumber: pick(['Identifier'], ['%patient.identifier'], {
      unless: [isOld, blank(['value'], 'it has no value')],
      prefer: [
        only(when('system = %site.mrnSystem'), 'a number of the site’s system comes first'),
        only(when("type.coding.exists(code = 'MR')"), 'it is no record number'),
        last(ended('period', 'its period is over')),
      ],
      same: ['value'],
      tie: warn('The chart has several record numbers; the first is used.'),
      asks: [advises(ended('period'), 'The period of the record number is over.')],
    }),

    // ---------------------------------------------------------------- the drug: sources that must agree
    medication: follow('%order.medication.ofType(Reference)', ['Medication'], {
      missing: 'The Medication that {reference} names ({$this.reference}) is not in the chart.',
      warns: [all([when('status.exists()'), oneOf('status', ['active'])], '{reference} has the status {status}.')],
    }),
    drugConcept: first(['CodeableConcept'], ['%order.medication.ofType(CodeableConcept)', '%medication.code']),
    drug,
    route,

    // ---------------------------------------------------------------- quantity, unit and days, all of one element
    supply: together(
      ['MedicationRequest.dispenseRequest', 'MedicationRequest.dispenseRequest.initialFill'],
      ['%order.dispenseRequest', '%order.dispenseRequest.initialFill'],
      'quantity.exists()',
    ),
    supplyUnit,
    dose: every(['Dosage'], ['%order.dosageInstruction'], { prefer: [lowest('sequence')], distinct: true }),
    // Several texts are joined with "; " and cited together.
    directions: joined(
      '%dose',
      ['patientInstruction', 'text'],
      [
        blocks(
          otherDrug('%dose', '%drug', knowledgeOfDrugs),
          '{said}. Which directions are those of this order?',
          'choice',
        ),
        blocks(otherDose('%dose', '%drug'), '{said}. Which directions are right?', 'choice'),
        blocks(
          twoDirections('%dose'),
          'The order’s directions and its instruction for the patient say different things. ' +
            'Enter those that are right.',
          'choice',
        ),
        advises(
          by('hasOddDose', 'one dose is more than twelve tablets or capsules', (_, facts) => hasOddDose(facts)),
          'One dose is more than twelve tablets or capsules.',
        ),
      ],
    ),
    daysSupply,

    // ---------------------------------------------------------------- the prescriber
    requester: follow('%order.requester', ['Practitioner', 'PractitionerRole', 'Organization', 'Device']),
    prescriberRole: choose('PractitionerRole', {
      of: 'anyone',
      unless: [
        not(any([isRequester, pointsToSame('practitioner', '%order.requester')]), 'it is of another practitioner'),
        all([not(isRequester), any([when('active = false'), ...notCurrent])], 'it is not active now'),
        isExtended,
        isUnderOwnRules,
      ],
      prefer: [has(isRequester)],
    }),
    prescriber: first(
      ['Practitioner'],
      ['%requester.ofType(Practitioner)', '%prescriberRole.practitioner.resolve().ofType(Practitioner)'],
      {
        asks: [
          advises(when('active = false'), 'The prescriber is recorded as not active.'),
          advises(isModified, 'The prescriber’s record carries a modifier extension. Check what it means.'),
        ],
      },
    ),
    prescriberName: pick(['HumanName'], ['%prescriber.name'], {
      ...nameRules,
      tie: warn('The prescriber has several current names of the same standing; the first is used.', 'family'),
    }),
    // The record, the reference to it, and the PractitionerRole belong to one person.
    prescriberNpi: pick(
      ['Identifier'],
      ['%prescriber.identifier | %order.requester.identifier | %prescriberRole.identifier'],
      {
        unless: [
          isOld,
          ended('period', 'its period is over'),
          blank(['value'], 'it has no value'),
          refusedBy(markedNpi, '$this', 'it is no NPI'),
          refusedBy(npiValue, 'value', 'it is not ten digits with a right check digit'),
        ],
        prefer: [
          only(when('system = %npi'), 'a number of the NPI system comes first'),
          only(any([coded('type', ['NPI']), says('type', /^\s*NPI\s*$/i)]), 'it is no NPI'),
        ],
        same: ['value'],
        tie: ask('The prescriber has several NPIs.', { option: 'value' }),
      },
    ),
    practiceLocation: pick(['Location'], ['%prescriberRole.location.resolve()'], {
      unless: [isExtended, isUnderOwnRules],
      tie: leave(
        'The prescriber works at several places; none of their addresses and numbers is used. Enter those of the ' +
          'place that this order is from.',
      ),
    }),
    practiceOrganization: follow('%prescriberRole.organization', ['Organization'], { warns: [isModified] }),
    // The first path with a usable address decides; without a `tie`, the first of equal candidates is used.
    prescriberAddress: pick(
      ['Address'],
      ['%prescriber.address', '%practiceLocation.address', '%practiceOrganization.address'],
      {
        unless: notAnAddress,
        prefer: [
          uses('work', unmarked, 'temp', 'billing', 'home'),
          last(when("type = 'postal'")),
          latest('period.start'),
        ],
        same: addressParts,
        asks: [advises(when("use = 'home'"), 'The prescriber’s address is marked as a home address.')],
      },
    ),
    prescriberCountry: countryOf('prescriberAddress'),
    prescriberContact: every(
      ['ContactPoint'],
      ['%prescriber.telecom', '%prescriberRole.telecom', '%practiceLocation.telecom', '%practiceOrganization.telecom'],
      {
        unless: notANumber,
        prefer: [uses('work', unmarked, 'temp', 'mobile', 'home'), lowest('rank')],
        // A private number is used only if the practice has none.
        lastly: [last(when("use = 'home' or use = 'mobile'"))],
      },
    ),

    // ---------------------------------------------------------------- the payer
    coverage: choose('Coverage', {
      unless: [
        oneOf('status', ['active'], 'it is {status|without a status}'),
        ended('period', 'it ended on {period.end}'),
        future('period', 'it begins on {period.start}'),
        undated('period', 'its period cannot be read as dates'),
        isExtended,
        isUnderOwnRules,
        selfPay,
        discountCard,
        otherBenefit,
      ],
      prefer: [
        namedBy('%order.insurance', 'named by the order'),
        has(drugBenefit, 'pharmacy benefit not confirmed: check the card'),
        // A coverage without an order may come before or after one with order 2, so the two rank equally.
        lowest('order', 'coverage order', {
          none: 2,
          words: { 1: 'primary coverage', 2: 'secondary coverage', 3: 'tertiary coverage' },
        }),
      ],
      asks: [asksBetween(paysLast, notMedicaid, 'Medicaid pays after other plans. Which plan pays for this drug?')],
      tie: ask('Several active plans fit. Which one covers this drug?'),
      alone: 'only active plan',
      answer: 'coverage',
      label: [
        'payor.resolve().ofType(Organization).name | payor.display',
        "class.where(type.coding.exists(code = 'plan')).name | class.where(type.coding.exists(code = 'plan')).value",
        'type.text | type.coding.display | type.coding.code',
      ],
      apart: [
        'subscriberId | identifier.value',
        "class.where(type.coding.exists(code = 'group')).value",
        "class.where(type.coding.exists(code = 'rxbin')).value",
        'period.start',
      ],
      linked: {
        refused: 'it belongs to a linked patient record; only a person may choose it',
        when: drugBenefit,
        ask: {
          severity: 'warns',
          reason: 'choice',
          message: 'A linked patient record has a drug benefit. Choose it if it pays for this drug.',
        },
      },
    }),
    payor: pick(['Reference'], ['%coverage.payor'], {
      unless: [
        pointsAt('$this', ['Patient', 'RelatedPerson'], 'it is a person'),
        when('reference.empty() and identifier.empty() and display.empty()', 'it names nobody'),
      ],
      same: [payorName],
      tie: ask('The plan names several payers. Which one pays for this drug?', { option: payorName }),
    }),
    payer: follow('%payor', ['Organization'], { warns: [isModified] }),
    memberNumber: pick(['Identifier'], ['%coverage.identifier'], {
      unless: [isOld, ended('period', 'its period is over'), blank(['value'], 'it has no value')],
      prefer: [only(when("type.coding.exists(code = 'MB')"), 'it is no member number')],
      same: ['value'],
      tie: ask('The plan states two member numbers. Which one is on the card?', { option: 'value' }),
    }),
    // Two numbers agree if their letters and digits are equal, or if one begins or ends with the other (a plan's
    // prefix, a family suffix). Then the member number is sent. If they differ, the number that the drug card repeats
    // (class rxid) is the patient's. A subscriber who is another person has another number.
    cardNumber: agree({
      sources: [
        { label: 'member number', path: '%memberNumber.value', read: readNumber },
        { label: 'subscriber’s number', path: `${ofSubscriber}.subscriberId`, read: readNumber },
      ],
      compare: sameNumber('value'),
      aspects: {
        value: { differ: 'The {leftSource} is {left}, the {rightSource} is {right}. Which one is on the card?' },
      },
      keys: ['value', 'words'],
    }),
    rxBin: cardNumber('its RxBIN', /^\s*rx[\s.]*bin\s*$/i, [...ofRx('bin'), ...spelled('bin')]),
    rxPcn: cardNumber('its RxPCN', /^\s*rx[\s.]*pcn\s*$/i, [...ofRx('pcn'), ...spelled('pcn')]),
    rxGroup: cardNumber('its RxGroup', /^\s*rx[\s.]*group\s*$/i, ofRx('group')),
    group: planNumber('its group number', spelled('group')),
    plan: planNumber('its plan', spelled('plan')),
    card: computed({
      types: ['Attachment', 'Binary'],
      reads: ['coverage', 'patient'],
      fill: {
        name: 'chooseCard',
        sentence:
          'images of the insurance card: of the chosen coverage itself, else the newest current one that is not ' +
          'another coverage’s',
        call: chooseCard,
      },
    }),

    // ---------------------------------------------------------------- the diagnosis
    // Proposed diagnoses are filled in, and block until a person confirms them.
    diagnosis: reasons({
      stated: { concepts: '%order.reasonCode', references: '%order.reasonReference' },
      unless: [isRefuted, isDifferential, isUnconfirmed, isDoubted('code.'), isExtended, isUnderOwnRules],
      unlessConcept: [isDoubted('')],
      encounter: 'encounter',
      proposeUnless: {
        always: [
          labelled('it carries a security label; only a person may choose it'),
          isRefuted,
          isExtended,
          isUnderOwnRules,
          any([isDifferential, isUnconfirmed], 'it is not confirmed'),
          any(
            [coded('clinicalStatus', ['inactive', 'resolved', 'remission']), when('abatement.exists()')],
            'it is not active',
          ),
          when(
            "category.exists() and category.all(coding.exists(code = 'sdoh'))",
            'it is a social need, not a diagnosis',
          ),
        ],
        ofEncounter: [],
        elsewhere: [
          when('clinicalStatus.empty()', 'its clinical status is not known'),
          when(
            "category.exists() and category.all(coding.exists(code = 'encounter-diagnosis'))",
            'it is a diagnosis of another encounter',
          ),
        ],
      },
      acceptUnless: [
        sensitive('it is sensitive, or nobody can judge a code of it; only a person may accept it'),
        says(
          labelIn('code.'),
          new RegExp(`${doubtWords.words.source}|^\\s*(?:family history of|fhx?)\\b`, 'i'),
          doubted,
        ),
      ],
    }),
    evidence,

    // ---------------------------------------------------------------- the pharmacy
    pharmacy: follow('%order.dispenseRequest.performer', ['Organization', 'Location'], { warns: [isModified] }),
    pharmacyAddress: pick(['Address'], ['%pharmacy.address']),
    pharmacyCountry: countryOf('pharmacyAddress'),
  },
  {
    isSensitive: (resource) => knowledge.sensitivity.ofLabels(resource) !== undefined,
    tellsSensitive: (resource) => {
      const concept = resource.resourceType === 'Condition' ? resource.code : undefined;
      const { ofResource, isUnknown } = knowledge.sensitivity;
      return ofResource(resource, concept) !== undefined || isUnknown(concept);
    },
  },
);
