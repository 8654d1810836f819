/**
 * What the codes of a system identify. `drug`: a product or an ingredient that is ordered. `drug class`, `vaccine`,
 * `billing`: groups and services, never one product. `diagnosis`: only diseases. `clinical`: anything in a chart.
 * `hl7`: roles, states and categories of FHIR and HL7. `identifier`: numbers of people and organizations.
 */
export type SystemKind =
  | 'drug'
  | 'substance'
  | 'drug class'
  | 'vaccine'
  | 'billing'
  | 'diagnosis'
  | 'clinical'
  | 'dose form'
  | 'unit'
  | 'administrative'
  | 'identifier'
  | 'hl7'
  | 'extension';

export interface CodeSystem {
  /** The canonical spelling. After a chart is read, code sees only this spelling. */
  readonly url: string;
  readonly name: string;
  readonly kind: SystemKind;
  readonly oids?: readonly string[];
  /** Other addresses that charts use: of earlier releases, or of publishers. */
  readonly also?: readonly string[];
  /** Names that charts write in place of the address: HL7 table 0396, UMLS source abbreviations. */
  readonly names?: readonly string[];
  readonly source: string;
}

const r4 = 'FHIR R4, terminologies-systems.html';
const tho = (file: string) => `HL7 THO (HL7/UTG), NamingSystem ${file}`;
const v2 = 'FHIR R4, CodeSystem v2-0396';
const hl7 = 'FHIR R4, CodeSystem of this URL; OID and earlier addresses by the rules in systems.ts';

/**
 * The systems that the product knows by name; those that FHIR and HL7 define themselves are in
 * model/code-systems.generated.ts. The following are spellings of every row: with or without the scheme, `www.`, a
 * trailing slash or `#`, a version after a bar, capitals, and an OID with or without `urn:oid:`.
 */
export const codeSystems = {
  // ---------------------------------------------------------------- drugs
  rxnorm: {
    url: 'http://www.nlm.nih.gov/research/umls/rxnorm',
    name: 'RxNorm',
    kind: 'drug',
    oids: ['2.16.840.1.113883.6.88'],
    also: ['http://terminology.hl7.org/NamingSystem/v3-rxNorm'],
    names: ['RxNorm'],
    source: `${r4}; ${tho('v3-rxNorm')}; ${v2} RXNORM`,
  },
  ndc: {
    url: 'http://hl7.org/fhir/sid/ndc',
    name: 'NDC',
    kind: 'drug',
    oids: ['2.16.840.1.113883.6.69'],
    also: ['http://terminology.hl7.org/NamingSystem/v3-ndc'],
    names: ['NDC'],
    source: `${r4}; ${tho('v3-ndc')}; ${v2} NDC`,
  },
  gpi: {
    url: 'urn:oid:2.16.840.1.113883.6.68',
    name: 'Medi-Span GPI',
    kind: 'drug',
    oids: ['2.16.840.1.113883.6.68'],
    also: ['http://terminology.hl7.org/CodeSystem/MGPI', 'http://terminology.hl7.org/CodeSystem/v3-MGPI'],
    names: ['MGPI', 'GPI'],
    source: `${tho('MGPI')}; ${v2} MGPI; Epic sandbox Medication`,
  },
  mddid: {
    url: 'urn:oid:2.16.840.1.113883.6.253',
    name: 'Medi-Span MDDID',
    kind: 'drug',
    oids: ['2.16.840.1.113883.6.253'],
    source: 'Epic sandbox Medication; public code that reads C-CDA calls it MDDID',
  },
  mddb: {
    url: 'urn:oid:2.16.840.1.113883.6.162',
    name: 'Medi-Span MDDB',
    kind: 'drug',
    oids: ['2.16.840.1.113883.6.162'],
    source: 'Epic sandbox Medication; public code that reads C-CDA calls it Medispan MDDB',
  },
  nddf: {
    url: 'urn:oid:2.16.840.1.113883.6.208',
    name: 'FDB NDDF',
    kind: 'drug',
    oids: ['2.16.840.1.113883.6.208'],
    also: ['http://terminology.hl7.org/CodeSystem/v3-nddf', 'http://terminology.hl7.org/NamingSystem/v3-nddf'],
    names: ['NDDF'],
    source: tho('v3-nddf'),
  },
  fddc: {
    url: 'urn:oid:2.16.840.1.113883.6.64',
    name: 'FDB drug codes',
    kind: 'drug',
    oids: ['2.16.840.1.113883.6.64'],
    also: ['http://terminology.hl7.org/CodeSystem/v3-FDDC'],
    names: ['FDDC'],
    source: `${tho('v3-FDDC')}; ${v2} FDDC`,
  },
  fdb: {
    url: 'http://www.fdbhealth.com/',
    name: 'FDB',
    kind: 'drug',
    names: ['FDB'],
    source: 'canvas-medical/canvas-plugins, canvas_sdk/value_set/constants.py',
  },
  multum: {
    url: 'urn:oid:2.16.840.1.113883.6.314',
    name: 'Multum drug id',
    kind: 'drug',
    oids: ['2.16.840.1.113883.6.314'],
    source: 'public code that reads Cerner exports calls it multum-drug-id (dNUM)',
  },
  multumProduct: {
    url: 'urn:oid:2.16.840.1.113883.6.311',
    name: 'Multum main drug code',
    kind: 'drug',
    oids: ['2.16.840.1.113883.6.311'],
    source: 'public code that reads Cerner exports calls it Multum Main Drug Code (MMDC)',
  },
  multumSynonym: {
    url: 'urn:oid:2.16.840.1.113883.6.312',
    name: 'Multum synonym',
    kind: 'drug',
    oids: ['2.16.840.1.113883.6.312'],
    source: 'public code that reads Cerner exports calls it multum-drug-synonym-id',
  },
  unii: {
    url: 'http://fdasis.nlm.nih.gov',
    name: 'UNII',
    kind: 'substance',
    oids: ['2.16.840.1.113883.4.9'],
    names: ['UNII', 'FDAUNII'],
    source: `${r4}; ${v2} FDAUNII`,
  },
  atc: {
    url: 'http://www.whocc.no/atc',
    name: 'ATC',
    kind: 'drug class',
    oids: ['2.16.840.1.113883.6.73'],
    source: r4,
  },
  medrt: {
    url: 'http://va.gov/terminology/medrt',
    name: 'MED-RT',
    kind: 'drug class',
    oids: ['2.16.840.1.113883.6.345'],
    names: ['MED-RT'],
    source: 'HL7 THO (HL7/UTG), CodeSystem MEDRT',
  },
  ndfrt: {
    url: 'http://hl7.org/fhir/ndfrt',
    name: 'NDF-RT',
    kind: 'drug class',
    oids: ['2.16.840.1.113883.6.209'],
    names: ['NDF-RT'],
    source: r4,
  },
  cvx: {
    url: 'http://hl7.org/fhir/sid/cvx',
    name: 'CVX',
    kind: 'vaccine',
    oids: ['2.16.840.1.113883.12.292', '2.16.840.1.113883.6.59'],
    also: [
      'http://terminology.hl7.org/CodeSystem/v3-CVX',
      'http://www2a.cdc.gov/vaccines/iis/iisstandards/vaccines.asp?rpt=cvx',
    ],
    names: ['CVX'],
    source: `${r4}; ${tho('CVX')}; ${tho('v3-CVX')}; ${v2} CVX`,
  },
  mvx: {
    url: 'http://hl7.org/fhir/sid/mvx',
    name: 'MVX',
    kind: 'vaccine',
    oids: ['2.16.840.1.113883.12.227', '2.16.840.1.113883.6.60'],
    also: ['http://terminology.hl7.org/CodeSystem/MVX'],
    names: ['MVX'],
    source: tho('MVX'),
  },

  // ---------------------------------------------------------------- services and bills
  cpt: {
    url: 'http://www.ama-assn.org/go/cpt',
    name: 'CPT',
    kind: 'billing',
    oids: ['2.16.840.1.113883.6.12'],
    also: ['http://terminology.hl7.org/NamingSystem/CPT'],
    names: ['CPT', 'CPT-4', 'C4'],
    source: `${r4}; ${tho('CPT')}; ${v2} C4`,
  },
  hcpcs: {
    url: 'http://www.cms.gov/Medicare/Coding/HCPCSReleaseCodeSets',
    name: 'HCPCS',
    kind: 'billing',
    oids: ['2.16.840.1.113883.6.285', '2.16.840.1.113883.6.14'],
    also: [
      'http://terminology.hl7.org/CodeSystem/HCPCS',
      'http://terminology.hl7.org/CodeSystem/hcpcs-Level-II',
      'http://www.cms.gov/Medicare/Coding/MedHCPCSGenInfo',
    ],
    names: ['HCPCS', 'HCPCS Level II'],
    source:
      `${tho('hcpcs-Level-II')}; CodeSystem HCPCS (v3-HPC); ${v2} HCPCS; ` +
      'canvas-medical/canvas-plugins canvas_sdk/value_set/constants.py HCPCSLEVELII',
  },
  cdt: {
    url: 'http://www.ada.org/cdt',
    name: 'CDT',
    kind: 'billing',
    oids: ['2.16.840.1.113883.6.13'],
    also: ['http://terminology.hl7.org/CodeSystem/CD2'],
    names: ['CDT', 'CDT-2'],
    source: tho('CDT'),
  },
  icd10pcs: {
    url: 'http://www.cms.gov/Medicare/Coding/ICD10',
    name: 'ICD-10-PCS',
    kind: 'billing',
    oids: ['2.16.840.1.113883.6.4'],
    also: [
      'http://hl7.org/fhir/sid/icd-10-pcs',
      'http://terminology.hl7.org/CodeSystem/v3-icd10PCS',
      'http://www.icd10data.com/icd10pcs',
    ],
    names: ['ICD-10-PCS', 'I10P'],
    source: `${tho('v3-icd10PCS')}; ${v2} I10P; earlier addresses as public FHIR servers list them`,
  },
  icd9procedure: {
    url: 'http://hl7.org/fhir/sid/icd-9-cm/procedure',
    name: 'ICD-9-CM procedures',
    kind: 'billing',
    oids: ['2.16.840.1.113883.6.104'],
    names: ['I9CP'],
    source: `${v2} I9CP; CodeSystem list of HL7 THO (ICD-9CM-procedurecodes); FHIR STU3 address`,
  },

  // ---------------------------------------------------------------- diseases and findings
  icd10: {
    url: 'http://hl7.org/fhir/sid/icd-10-cm',
    name: 'ICD-10-CM',
    kind: 'diagnosis',
    oids: ['2.16.840.1.113883.6.90'],
    also: [
      'http://terminology.hl7.org/CodeSystem/icd10CM',
      'http://terminology.hl7.org/NamingSystem/icd10CM',
      'http://hl7.org/fhir/sid/icd-10-us',
    ],
    names: ['ICD-10-CM', 'I10C'],
    source: `${tho('icd10CM')}; ${v2} I10C; icd-10-us: FHIR DSTU2 and STU3, as public FHIR servers list it`,
  },
  icd10who: {
    url: 'http://hl7.org/fhir/sid/icd-10',
    name: 'ICD-10 (not CM)',
    kind: 'diagnosis',
    oids: ['2.16.840.1.113883.6.3'],
    also: ['http://terminology.hl7.org/CodeSystem/v3-icd10'],
    names: ['ICD-10', 'I10'],
    source: `${tho('v3-icd10')}; ${v2} I10`,
  },
  icd9: {
    url: 'http://hl7.org/fhir/sid/icd-9-cm',
    name: 'ICD-9-CM',
    kind: 'diagnosis',
    oids: ['2.16.840.1.113883.6.103', '2.16.840.1.113883.6.2'],
    also: [
      'http://terminology.hl7.org/CodeSystem/ICD-9CM-diagnosiscodes',
      'http://terminology.hl7.org/CodeSystem/icd9cm',
      'http://hl7.org/fhir/sid/icd-9-cm/diagnosis',
    ],
    names: ['ICD-9-CM', 'I9C', 'I9CDX'],
    source: `${tho('ICD-9CM-diagnosiscodes')}; ${tho('icd9cm')}; ${v2} I9C, I9CDX; /diagnosis: FHIR DSTU2 address`,
  },
  sct: {
    url: 'http://snomed.info/sct',
    name: 'SNOMED CT',
    kind: 'clinical',
    oids: ['2.16.840.1.113883.6.96'],
    also: ['http://www.snomed.org/', 'http://terminology.hl7.org/NamingSystem/v3-snomed-CT'],
    names: ['SNOMED CT', 'SNOMED', 'SCT', 'SNOMEDCT_US'],
    source: `${r4}; ${tho('v3-snomed-CT')}; ${v2} SCT; www.snomed.org: examples of the US Drug Formulary guide`,
  },
  loinc: {
    url: 'http://loinc.org',
    name: 'LOINC',
    kind: 'clinical',
    oids: ['2.16.840.1.113883.6.1'],
    names: ['LOINC', 'LN', 'LNC'],
    source: `${r4}; ${v2} LN; UMLS source LNC`,
  },
  ncit: {
    url: 'http://ncicb.nci.nih.gov/xml/owl/EVS/Thesaurus.owl',
    name: 'NCI Thesaurus',
    kind: 'clinical',
    oids: ['2.16.840.1.113883.3.26.1.1'],
    also: [
      'http://terminology.hl7.org/NamingSystem/v3-nciThesaurus',
      'http://terminology.hl7.org/CodeSystem/v3-nciThesaurus',
      'http://ncithesaurus.nci.nih.gov',
      'http://ncithesaurus-stage.nci.nih.gov',
    ],
    names: ['NCI Thesaurus', 'NCIT'],
    source: `${tho('v3-nciThesaurus')}; ncithesaurus: public code that reads C-CDA and FHIR`,
  },
  imo: {
    url: 'http://imohealth.com/ontology/',
    name: 'IMO',
    kind: 'clinical',
    oids: ['2.16.840.1.113883.3.247', '2.16.840.1.113883.3.247.1.1'],
    names: ['IMO'],
    source: 'HL7 THO (HL7/UTG), CodeSystem IMO; .1.1: ProblemIT, as public code that reads C-CDA calls it',
  },
  dsm5: {
    url: 'http://hl7.org/fhir/sid/dsm5',
    name: 'DSM-5',
    kind: 'diagnosis',
    oids: ['2.16.840.1.113883.6.344'],
    names: ['DSM-5'],
    source: r4,
  },

  // ---------------------------------------------------------------- forms and units
  edqm: {
    url: 'http://standardterms.edqm.eu',
    name: 'EDQM Standard Terms',
    kind: 'dose form',
    source: 'IHE and EU guides, as public FHIR examples have it',
  },
  ucum: {
    url: 'http://unitsofmeasure.org',
    name: 'UCUM',
    kind: 'unit',
    oids: ['2.16.840.1.113883.6.8'],
    names: ['UCUM'],
    source: `${r4}; ${v2} UCUM`,
  },

  // ---------------------------------------------------------------- people and organizations
  npi: {
    url: 'http://hl7.org/fhir/sid/us-npi',
    name: 'NPI',
    kind: 'identifier',
    oids: ['2.16.840.1.113883.4.6'],
    also: ['http://terminology.hl7.org/NamingSystem/npi'],
    names: ['NPI'],
    source: `${tho('npi')}; ${v2} NPI; the address of its NamingSystem: CMS National Provider Directory`,
  },
  ssn: {
    url: 'http://hl7.org/fhir/sid/us-ssn',
    name: 'SSN',
    kind: 'identifier',
    oids: ['2.16.840.1.113883.4.1'],
    also: ['http://hl7.org/fhir/NamingSystem/us-ssn'],
    names: ['SSN'],
    source: 'FHIR R4, namingsystem-registry.html',
  },
  nucc: {
    url: 'http://nucc.org/provider-taxonomy',
    name: 'NUCC provider taxonomy',
    kind: 'administrative',
    oids: ['2.16.840.1.113883.6.101'],
    names: ['NUCC', 'HCPT'],
    source: `${r4}; ${v2} HCPT`,
  },

  // ---------------------------------------------------------------- HL7's own systems that mappings read by name
  v2identifier: {
    url: 'http://terminology.hl7.org/CodeSystem/v2-0203',
    name: 'HL7 identifier types',
    kind: 'hl7',
    source: hl7,
  },
  v3actcode: {
    url: 'http://terminology.hl7.org/CodeSystem/v3-ActCode',
    name: 'HL7 ActCode',
    kind: 'hl7',
    source: hl7,
  },
  v3orderableDrugForm: {
    url: 'http://terminology.hl7.org/CodeSystem/v3-orderableDrugForm',
    name: 'HL7 orderable drug forms',
    kind: 'dose form',
    source: hl7,
  },
  v3routeOfAdministration: {
    url: 'http://terminology.hl7.org/CodeSystem/v3-RouteOfAdministration',
    name: 'HL7 routes',
    kind: 'hl7',
    source: hl7,
  },
  v3timing: {
    url: 'http://terminology.hl7.org/CodeSystem/v3-GTSAbbreviation',
    name: 'HL7 timing abbreviations',
    kind: 'hl7',
    source: hl7,
  },
  coverageClass: {
    url: 'http://terminology.hl7.org/CodeSystem/coverage-class',
    name: 'HL7 coverage classes',
    kind: 'hl7',
    source: hl7,
  },
  coverageSelfPay: {
    url: 'http://terminology.hl7.org/CodeSystem/coverage-selfpay',
    name: 'HL7 self-pay codes',
    kind: 'hl7',
    source: hl7,
  },
  conditionClinical: {
    url: 'http://terminology.hl7.org/CodeSystem/condition-clinical',
    name: 'HL7 clinical status',
    kind: 'hl7',
    source: hl7,
  },
  conditionVerification: {
    url: 'http://terminology.hl7.org/CodeSystem/condition-ver-status',
    name: 'HL7 verification status',
    kind: 'hl7',
    source: hl7,
  },
  conditionCategory: {
    url: 'http://terminology.hl7.org/CodeSystem/condition-category',
    name: 'HL7 condition categories',
    kind: 'hl7',
    source: hl7,
  },
  dataAbsentReasonCode: {
    url: 'http://terminology.hl7.org/CodeSystem/data-absent-reason',
    name: 'HL7 data absent reasons',
    kind: 'hl7',
    source: hl7,
  },

  // ---------------------------------------------------------------- addresses of extensions, which vary in the same
  // ways
  dataAbsentReason: {
    url: 'http://hl7.org/fhir/StructureDefinition/data-absent-reason',
    name: 'data-absent-reason extension',
    kind: 'extension',
    source: 'FHIR R4, extension-data-absent-reason.html',
  },
} as const satisfies Record<string, CodeSystem>;
