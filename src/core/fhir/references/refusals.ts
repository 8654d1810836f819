/** Why a value of the chart is not sent, in words for two kinds of readers. */
export interface RefusalWords {
  /** For clinic staff, after the name of the field: `Provider: NPI: this number is not valid`. Never a value. */
  readonly staff: string;
  /** What to do, as a sentence; without it, staff are asked to enter the value. */
  readonly next?: string;
  /** For engineers: what the bridge found. */
  readonly engineer: string;
}

/**
 * Every reason for not sending a value of the chart. A transform or a reader names a row by its key; messages, the page
 * and `explain` take their words from the row.
 */
export const refusals = table({
  // ------------------------------------------------------------------ the value has no content
  blank: { staff: 'the chart has an empty text', engineer: 'blank' },
  placeholder: { staff: 'the chart has a placeholder here, not a value', engineer: 'a placeholder, not a value' },
  nothing_but_zeros: { staff: 'the chart has only zeros here', engineer: 'nothing but zeros' },
  masked: { staff: 'the chart hides this value', engineer: 'no value (data-absent-reason: masked)' },
  absent: {
    staff: 'the chart says that this value is not known',
    engineer: 'no value (a data-absent-reason stands in its place)',
  },
  no_value: { staff: 'the chart has no value here', engineer: 'no value, only extensions' },
  nothing_to_say: { staff: 'the chart has no words for it', engineer: 'nothing that can be said' },
  no_data: { staff: 'the file in the chart is empty', engineer: 'no data' },
  damaged_text: {
    staff: 'the text in the chart is damaged: characters are lost or it holds codes of a web page',
    engineer: 'damaged text',
  },
  not_read: {
    staff: 'what the chart has here could not be read',
    engineer: 'not of the form of FHIR R4, and not read',
  },
  not_given: {
    staff: 'this part of the chart could not be read',
    next: 'Refresh from the chart, or enter it.',
    engineer: 'resources of this type could not be read from the EHR',
  },
  not_a_text: { staff: 'the chart has another kind of value here', engineer: 'not a text' },
  // ------------------------------------------------------------------ several answers
  several_values: {
    staff: 'the chart says several things here',
    engineer: 'the expression cannot answer: several values, or values that cannot be compared',
  },
  words_differ: {
    staff: 'the code and the words in the chart mean different things',
    next: 'Choose the right one.',
    engineer: 'codes and text name different rows of the table',
  },
  several_codes: { staff: 'the chart has several codes for it', engineer: 'several codes' },
  ruled_out: { staff: 'what the chart has cannot be used', engineer: 'a clause of the role rules it out' },
  other_type: {
    staff: 'the chart has another kind of record here',
    engineer: 'the reference leads to a resource of another type',
  },
  // ------------------------------------------------------------------ addresses and names that cannot be used for mail
  no_mail: {
    staff: 'the address in the chart says that no mail gets there',
    next: 'Enter where the patient gets mail, or confirm the address as it stands.',
    engineer: 'words of the address say that no letter reaches the patient there',
  },
  record_mark: {
    staff: 'the name in the chart carries a mark, such as “duplicate” or “deceased”',
    next: 'Check that this is the right record. Enter the name alone, or confirm it as it stands.',
    engineer: 'words of the name mark its record: deceased, duplicate, do not use, a test',
  },
  deceased: {
    staff: 'the patient is recorded as deceased',
    next: 'Check that this is the right patient. If the request is still wanted, confirm the date of birth.',
    engineer: 'deceasedBoolean is true, or there is a deceasedDateTime',
  },
  born_in_future: {
    staff: 'the birth date is in the future',
    next: 'Enter the right one.',
    engineer: 'birthDate is after the day of the request',
  },
  born_before_1900: {
    staff: 'the birth date is before 1900',
    next: 'Enter the right one, or confirm it as it stands.',
    engineer: 'birthDate is before 1900',
  },
  // ------------------------------------------------------------------ words and codes
  unknown_word: {
    staff: 'the word in the chart is not on the service’s list',
    next: 'Choose one from the list.',
    engineer: 'no certain row in the table',
  },
  no_unit: {
    staff: 'the order gives a number without a unit',
    next: 'Choose what is counted, such as tablets, pens or vials.',
    engineer: 'a quantity without unit and code',
  },
  no_certain_route: {
    staff: 'neither the order nor the dose form says how the drug is given',
    next: 'Choose the route.',
    engineer: 'the words name no route with certainty',
  },
  not_icd10: { staff: 'the code in the chart is not an ICD-10 code', engineer: 'not an ICD-10-CM code' },
  no_code: { staff: 'the chart has no code for it', engineer: 'no code of this system' },
  not_an_rxcui: { staff: 'the RxNorm code in the chart is not a number', engineer: 'an RxNorm code is a number' },
  ndc_digits: {
    staff: 'the NDC in the chart does not say which product it is: it needs 11 digits, or 10 with dashes',
    next: 'Check the package.',
    engineer: 'not an NDC of 10 or 11 digits with dashes',
  },
  not_a_task_status: { staff: 'the status is not one of a task', engineer: 'not a Task.status of the bridge' },
  // ------------------------------------------------------------------ numbers of people and places
  npi_digits: {
    staff: 'the number in the chart is not an NPI, which has ten digits',
    next: 'Check for a typo.',
    engineer: 'an NPI has ten digits',
  },
  not_marked_npi: {
    staff: 'no number in the chart is marked as an NPI',
    engineer: 'neither system nor type says that it is an NPI',
  },
  check_digit: {
    staff: 'this NPI is not valid: its check digit is wrong',
    next: 'Check for a typo.',
    engineer: 'the check digit of this NPI is wrong',
  },
  zip_digits: {
    staff: 'the ZIP code in the chart has fewer than five digits',
    next: 'Check for a leading zero that was lost.',
    engineer: 'fewer than five digits',
  },
  not_a_state: { staff: 'the chart has a number here, not a state', engineer: 'a number, not a state' },
  not_callable: {
    staff: 'nobody can be called at the number in the chart',
    engineer: 'not a number that can be called',
  },
  phone_digits: {
    staff: 'the number in the chart has fewer than seven digits',
    next: 'Enter it with its area code.',
    engineer: 'fewer than seven digits',
  },
  not_an_email: { staff: 'what the chart has is not an email address', engineer: 'not an e-mail address' },
  // ------------------------------------------------------------------ amounts and times
  not_positive: { staff: 'a number above zero is needed', engineer: 'not a positive number' },
  whole_number: {
    staff: 'the chart has a fraction, and a whole number is needed',
    next: 'Enter the whole number that is meant.',
    engineer: 'not a whole number',
  },
  only_a_bound: {
    staff: 'the chart gives only a limit (such as “less than”), not the amount',
    engineer: 'a comparator: only a bound',
  },
  not_a_full_date: {
    staff: 'the chart has no full date here',
    next: 'Enter month, day and year.',
    engineer: 'not a full date',
  },
  no_days: { staff: 'the chart gives no number of days', engineer: 'no number of days' },
  not_in_days: { staff: 'the time in the chart is not in days or weeks', engineer: 'not in days or weeks' },
  months: {
    staff: 'the chart counts in months or years, which are no fixed number of days',
    next: 'Enter the days.',
    engineer: 'months and years have no fixed number of days',
  },
  whole_days: {
    staff: 'the time in the chart is not a whole number of days',
    next: 'Enter the days.',
    engineer: 'not a whole number of days',
  },
  over_ten_years: { staff: 'the chart says more than ten years', engineer: 'more than ten years' },
  unit_differs: {
    staff: 'the unit and its code in the chart mean different things',
    next: 'Enter the right one.',
    engineer: 'its code and its unit differ',
  },
  not_worked_out: {
    staff: 'it does not follow from the rest of the order',
    engineer: 'the rest of the order does not lead to it with certainty',
  },
  // ------------------------------------------------------------------ strengths
  no_strength: { staff: 'the chart does not state the strength', engineer: 'no strength' },
  ingredient_without_strength: {
    staff: 'the chart does not state the strength of every ingredient',
    engineer: 'an ingredient has no strength',
  },
  strength_without_unit: {
    staff: 'the chart gives the strength without a unit',
    engineer: 'a strength, or the amount that it is of, without a unit',
  },
  two_numbers: {
    staff: 'the chart has two numbers in front of one unit, such as “1 1/2 mg”',
    next: 'Enter the strength that is meant.',
    engineer: 'two numbers stand before one unit',
  },
  unclear_number: {
    staff: 'a number in the chart can be read in two ways, such as “1,500”',
    next: 'Enter the strength that is meant.',
    engineer: 'a number is not clear',
  },
  several_strengths: { staff: 'the chart states several strengths', engineer: 'several strengths' },
  element_alone: {
    staff: 'the chart gives only the mass of the element, not of the salt',
    engineer: 'the mass of the element alone',
  },
  another_drug_named: {
    staff: 'the text names another drug behind the strength',
    engineer: 'another drug is named behind the strength',
  },
  only_a_volume: { staff: 'the chart gives only a volume, no strength', engineer: 'a volume alone, no strength' },
  only_a_dose: {
    staff: 'the chart gives only a dose or a rate, no strength',
    engineer: 'a dose or a rate, no strength',
  },
  mixture: { staff: 'the order is a mixture of several drugs', engineer: 'a mixture of several' },
  pack: { staff: 'a pack has no single strength', engineer: 'a pack has no single strength' },
});

/** The words for staff as separate sentences, with what to do. */
export function refusalSentences(why: Refusal): string {
  const { staff, next = 'Enter it.' }: RefusalWords = refusals[why];
  return `${staff.charAt(0).toUpperCase()}${staff.slice(1)}. ${next}`;
}

/** The key of a row in `refusals`. */
export type Refusal = keyof typeof refusals;

export function isRefusal(text: unknown): text is Refusal {
  return typeof text === 'string' && Object.hasOwn(refusals, text);
}

function table<Key extends string>(rows: Record<Key, RefusalWords>): Readonly<Record<Key, RefusalWords>> {
  return Object.freeze(rows);
}
