/** For a chart (a mapping case by its name, or `set/file`) the defect or the rule that demands that it is asked now. */
export function demandedBy(chart: string): string | undefined {
  return Object.hasOwn(demands, chart) ? demands[chart] : undefined;
}

const bin = 'V17: an RxBIN that is not six digits is never sent';
const unit = 'a unit that contradicts the drug is asked';
const days = 'a derived value is compared with the stated one';
const together = 'V1: quantity, unit and days are of one element';
const agree = 'V3: sources that name the drug must agree';
const twoTruths = 'item 3: what is sent was never put together from two truths';
const route = 'V3: sources that state the route must agree';
const lastPayer = 'V16: a payer of last resort is asked';
const modifier = 'bad input: what a modifier means is not guessed';
const misshapen = 'bad input: a misshapen active, deceased or modifierExtension is asked before sending';
const tie = 'item 1: a tie asks, so that the first of two payers is not sent in silence';
const placeholder = 'title of the issue: nothing wrong goes out; what stands for no value is none';
const twice = 'V15: a number that is stated twice is asked';

const demands: Readonly<Record<string, string>> = {
  'address-in-britain-without-a-country-is-not-american': 'V15: a country is never invented',
  'address-in-ontario-without-a-country-is-not-american': 'V15: a country is never invented',
  'address-that-says-it-is-bad-is-asked': placeholder,
  'address-zip-that-lost-its-leading-zero-is-asked': placeholder,
  'coverage-medicaid-beside-a-commercial-plan-is-asked': lastPayer,
  'coverage-medicaid-by-its-payer-beside-another-plan-is-asked': lastPayer,
  'coverage-medicaid-by-its-words-beside-another-plan-is-asked': lastPayer,
  'coverage-with-a-modifier-extension-is-out': modifier,
  'days-supply-in-weeks-that-does-not-fit-the-dose-is-asked': days,
  'days-supply-stated-that-the-directions-contradict-is-asked': days,
  'days-supply-stated-that-the-directions-end-before-is-asked': days,
  'days-supply-stated-that-two-tablets-in-the-directions-contradict-is-asked': days,
  'days-supply-stated-that-a-dose-each-morning-contradicts-is-asked': days,
  'days-supply-that-does-not-fit-the-dose-is-asked': days,
  'diagnosis-entered-in-error-as-the-stated-reason-is-asked': 'V7: a reason that was entered in error is never sent',
  'diagnosis-refuted-as-the-stated-reason-is-asked': 'V7: a refuted reason is never sent',
  'diagnosis-refuted-in-words-alone-is-asked': 'V7: a refuted reason is never sent',
  'days-supply-of-two-in-the-text-only-is-not-guessed': twoTruths,
  'directions-of-a-tablet-by-its-strength-that-the-drug-contradicts-are-asked': twoTruths,
  'directions-of-another-time-than-the-dose-are-asked': twoTruths,
  'directions-that-name-another-drug-are-asked': twoTruths,
  'directions-that-only-point-elsewhere-are-a-gap': placeholder,
  'directions-that-the-patients-instruction-contradicts-are-asked': twoTruths,
  'dispense-unit-of-tablets-for-an-injection-is-asked': unit,
  'dispense-unit-that-does-not-fit-the-form-is-asked': unit,
  'dose-in-milliliters-of-a-tablet-is-asked': unit,
  'drug-brand-of-another-ingredient-in-the-text-is-asked': agree,
  'drug-form-of-the-text-differs-is-asked': agree,
  'drug-ndc-of-another-strength-is-asked': agree,
  'drug-second-code-of-another-drug-is-asked': agree,
  'drug-stated-as-concept-and-as-reference-is-asked': agree,
  'drug-strengths-of-two-ingredients-that-are-swapped-are-asked': agree,
  'drug-text-of-a-generic-with-another-brand-is-asked': agree,
  'drug-text-of-another-strength-is-asked': agree,
  'drug-text-of-extended-release-beside-a-plain-code-is-asked': agree,
  'drug-text-of-extended-release-that-a-person-chose-drops-the-plain-code': agree,
  'drug-text-that-offers-two-drugs-is-asked': agree,
  'drug-two-salts-of-potassium-are-asked': agree,
  'enrollment-rx-bin-not-six-digits-is-asked-and-not-sent': bin,
  'group-stated-twice-is-asked': twice,
  'member-number-that-the-subscriber-id-contradicts-is-asked': twoTruths,
  'member-numbers-of-one-plan-that-differ-are-asked': twice,
  'npi-with-a-wrong-check-digit-is-none': 'V17: a number with a wrong check digit is no NPI',
  'order-of-the-category-inpatient-in-words-is-no-candidate': 'D14: what is given in the hospital is no candidate',
  'order-that-is-an-instance-is-no-candidate': 'V15: an instance-order is no order',
  'order-under-rules-of-its-own-is-refused': modifier,
  'order-with-a-modifier-extension-of-its-dosage-is-refused': modifier,
  'order-with-an-unknown-modifier-extension-is-asked': 'V15: what a modifier extension means is not guessed',
  'patient-active-that-cannot-be-read-is-asked': misshapen,
  'patient-deceased-on-a-placeholder-is-asked': misshapen,
  'patient-deceased-on-what-is-no-date-is-asked': misshapen,
  'patient-deceased-that-cannot-be-read-is-asked': misshapen,
  'patient-deceased-without-its-type-is-asked': misshapen,
  'patient-modifier-extension-that-is-no-list-is-asked': misshapen,
  'patient-under-rules-of-its-own-is-asked': modifier,
  'patient-with-an-unknown-modifier-extension-is-asked': modifier,
  'payer-two-organizations-are-asked': tie,
  'plan-numbers-stated-twice-are-asked': twice,
  'prescriber-whose-fullurl-two-resources-have-is-asked': twoTruths,
  'route-that-nobody-can-read-is-not-that-of-the-form': route,
  'route-whose-display-contradicts-its-code-is-asked': route,
  'route-whose-words-contradict-its-code-is-asked': route,
  'rx-bin-entered-with-five-digits-is-not-sent': bin,
  'rx-bin-not-six-digits-cleared-by-a-person-is-left-out': bin,
  'rx-bin-not-six-digits-corrected-by-a-person-is-sent': bin,
  'rx-bin-not-six-digits-is-asked-and-not-sent': bin,
  'rx-bin-stated-twice-is-asked': twice,
  'strength-in-parentheses-that-differs-is-asked': agree,
  'strength-that-is-a-rate-is-asked': 'V10: a rate is no strength',
  'strength-that-the-name-contradicts-is-asked': agree,
  'strength-without-a-unit-is-asked': 'V10: a number without a unit is no strength',
  'supply-quantity-of-each-gets-no-unit-of-a-first-fill': together,
  'supply-quantity-that-cannot-be-read-is-not-that-of-a-first-fill': together,
  'supply-quantity-without-unit-gets-none-from-a-first-fill': together,
  'supply-unit-that-contradicts-the-drug-is-asked': unit,
  'drug-ndc-of-another-strength-than-chosen-is-not-sent': agree,
  'strength-chosen-from-the-ingredients-drops-the-code-of-another': agree,
  'strength-chosen-from-the-name-keeps-its-code': agree,
};
