/** One chart of the sandbox: its folder in fixtures/charts, and its patient's story. */
export interface Story {
  readonly folder: string;
  readonly patient: string;
  /** The patient's name. */
  readonly title: string;
  readonly sentence: string;
}

/** The charts of a new sandbox, in the order of the index page. All people in them are invented. */
export const stories: readonly Story[] = [
  {
    folder: 'story-complete',
    patient: 'complete-patient',
    title: 'Marisol Tennyson',
    sentence: 'Rheumatoid arthritis, adalimumab: everything the payer asks for is in the chart.',
  },
  {
    folder: 'story-no-rxbin',
    patient: 'norx-patient',
    title: 'Desmond Applewhite',
    sentence: 'Plaque psoriasis, apremilast: the coverage has neither RxBIN nor RxPCN.',
  },
  {
    folder: 'story-two-coverages',
    patient: 'twocov-patient',
    title: 'Priya Castellanos',
    sentence: 'Ankylosing spondylitis, etanercept: two coverages, of which one has expired.',
  },
  {
    folder: 'story-snomed-only',
    patient: 'snomed-patient',
    title: 'Wendell Okafor-Smith',
    sentence: 'Obesity, phentermine with topiramate: the order’s reason is coded in SNOMED CT only.',
  },
  {
    folder: 'story-medication-contained',
    patient: 'contained-patient',
    title: 'Ines Halloway',
    sentence: 'Type 2 diabetes, empagliflozin: the medication is contained in the order.',
  },
  {
    folder: 'story-medication-external',
    patient: 'external-patient',
    title: 'Tobias Renner-Vale',
    sentence: 'Psoriatic arthritis, secukinumab: the medication is a resource of its own, known by its NDC.',
  },
  {
    folder: 'story-taper',
    patient: 'taper-patient',
    title: 'Lucinda Farrow',
    sentence: 'Polymyalgia rheumatica, delayed-release prednisone: a taper in three steps.',
  },
  {
    folder: 'story-self-reported',
    patient: 'selfrep-patient',
    title: 'Gideon Marchetti',
    sentence: 'Type 2 diabetes, insulin: a self-reported medication stands beside the real order.',
  },
  {
    folder: 'story-card-image',
    patient: 'card-patient',
    title: 'Beatriz Lindholm',
    sentence:
      'Migraine prevention, rimegepant: the pharmacy benefit is only on the image of the insurance card, and the ' +
      'payer asks twice.',
  },
  {
    folder: 'story-sources-differ',
    patient: 'differ-patient',
    title: 'Renata Quillfeather',
    sentence:
      'Type 2 diabetes, empagliflozin: the order’s text and its code state different strengths, and two coverages fit.',
  },
  {
    folder: 'story-step-therapy',
    patient: 'steptx-patient',
    title: 'Calvin Ostrowe',
    sentence: 'Type 2 diabetes, semaglutide: the payer will ask for other medicines first.',
  },
  {
    folder: 'story-both-plans-fit',
    patient: 'bothfit-patient',
    title: 'Rosalind Amberley',
    sentence: 'Rheumatoid arthritis, tofacitinib: two coverages in force fit alike, so a person chooses.',
  },
  {
    folder: 'story-many-gaps',
    patient: 'gaps-patient',
    title: 'Leopold Finnegan-Wray',
    sentence:
      'Migraine prevention, galcanezumab: directions, quantity, diagnosis, NPI and part of the address are missing.',
  },
  {
    folder: 'story-payer-asks',
    patient: 'asked-patient',
    title: 'Imogen Hartsfield',
    sentence: 'Chronic hives, omalizumab: the payer asks the prescriber a question before it decides.',
  },
  {
    folder: 'story-request-fails',
    patient: 'failed-patient',
    title: 'Augustin Delacroix-Hume',
    sentence: 'Osteoporosis, denosumab: the request ends without a decision.',
  },
  {
    folder: 'story-long-record',
    patient: 'long-patient',
    title: 'Winifred Castleton',
    sentence: 'Crohn’s disease, ustekinumab: one order among seventeen years of problems, results and notes.',
  },
];
