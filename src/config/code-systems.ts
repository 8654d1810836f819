export const icd10cm = 'icd-10-cm';

/** The source of the codes and their limits, shown by the command and by every page that searches codes. */
export const disclaimers: Readonly<Record<string, string>> = {
  [icd10cm]:
    'ICD-10-CM is maintained by the National Center for Health Statistics (NCHS) and the Centers for Medicare & ' +
    'Medicaid Services (CMS); ICD-10 is published by the World Health Organization. The file was loaded here by your ' +
    'IT support and is not endorsed by them. A code that is found is no medical advice.',
};
