export const search = {
  codeTitle: 'Find a diagnosis code',
  codeLabel: 'Code or words',
  codeHint: 'For example M06.9, or rheumatoid arthritis. The beginnings of words are enough.',
  codeLink: 'Find a code',
  fieldHint: (file: string) => `Type a code such as M06.9, or words to search in ${file}. Separate codes with commas.`,
  fieldHintWithoutFile:
    'Type a code such as M06.9. Separate codes with commas. Words find only codes of this chart and of earlier ' +
    'requests: no ICD-10-CM file is loaded here.',
  likelyCodes: (said: string, file: string) => `Codes for “${said}”, from ${file}`,
  likelyPharmacies: 'Pharmacies of this chart and of your practice',
  pharmacyTitle: 'Find a pharmacy',
  pharmacyLabel: 'Name, street or city',
  pharmacyHint: 'Pharmacies of this chart and of earlier requests of your practice.',
  pharmacyLink: 'Find a pharmacy',
  button: 'Search',
  back: 'Back to the request',
  use: 'Use',
  inChart: 'In the chart',
  usedHere: (count: number) => `Used ${count === 1 ? 'once' : `${count} times`} here`,
  nothing: 'Nothing found. Check the spelling, or use fewer words.',
  noPharmacy: 'No pharmacy is known here yet. You can enter one on the request.',
  noFile:
    'No ICD-10-CM file is loaded here, so only codes of the chart and of earlier requests are found. You can still ' +
    'enter any code.',
  category: (code: string, title: string) => `${code} ${title} is a category. Choose one of its codes:`,
  fromFile: (year: string | undefined) => (year === undefined ? 'ICD-10-CM' : `ICD-10-CM ${year}`),
  oldFile: (year: string) =>
    `The codes here are those of ${year}; a newer edition is out. Check that the code is still valid.`,
  /** For a code that is known not to be billable. */
  isCategory: (code: string) =>
    `${code} is a category, not a code that can be billed. Search for it and choose one of its codes.`,
  isUnknown: (code: string, year: string | undefined) =>
    `${code} is not in the ICD-10-CM file${year === undefined ? '' : ` of ${year}`}. Check for a typo.`,
} as const;

export const preview = {
  title: 'Preview',
  what: 'What will be sent',
  original: 'The document itself',
  openPdf: 'Open the PDF in a new tab',
  noPicture: 'This kind of file cannot be shown here. Its text is above.',
  imageAlt: 'Page of the document',
  nothing: 'This cannot be sent:',
  attach: 'Attach this document',
  detach: 'Do not attach it',
  isAttached: 'It is attached to this request.',
  sensitive: (category: string) =>
    `Marked as sensitive (${category}). It goes only if you attach it, and that is recorded.`,
  close: 'Close',
} as const;

export const carriedWords = {
  kept: (count: number) =>
    count === 1
      ? '1 document was carried over from your request sent'
      : `${count} documents were carried over from your request sent`,
  again: (count: number) =>
    count === 1 ? 'It was read again from the chart.' : 'They were read again from the chart.',
  dropped: 'Not carried over:',
  why: {
    gone: 'no longer in the chart',
    sensitive: 'now marked as sensitive; check it yourself if it should go',
    unfit: 'cannot be sent any more',
    file: 'it was attached from a file; attach it again if it should go',
  },
} as const;

export const attach = {
  document: {
    link: 'Attach a file',
    title: 'Attach a document',
    hint:
      'PDF, RTF, HTML or plain text, up to 15 MB. The payer receives its text, up to 20,000 characters, without ' +
      'pictures.',
    /** For a service that accepts PDFs. */
    pdfHint:
      'PDF, RTF, HTML or plain text, up to 15 MB. A PDF goes as it is, all its pages. Of the others the payer ' +
      'receives the text, up to 20,000 characters.',
    file: 'File',
    name: 'What is it?',
    nameHint: 'For example: Rheumatology office note. The payer sees this title.',
    date: 'Date of the document',
  },
  card: {
    link: 'Attach a photo of the card',
    title: 'Attach a photo of the insurance card',
    hint:
      'JPEG or PNG, up to 15 MB. One photo for each side. The photo is scaled down, and what the camera notes in it ' +
      'is removed.',
    file: 'Photo',
    replaces: 'The photo is sent in place of card images from the chart.',
  },
  consent: {
    link: 'Attach a scan of the signed consent',
    title: 'Attach a scan of the signed consent',
    hint: 'PDF, JPEG or PNG, up to 15 MB. It is kept with this enrollment and not sent to the program.',
    file: 'Scan',
    name: 'Signed consent',
  },
  appeal: {
    link: 'Attach the appeal letter',
    title: 'Attach an appeal letter',
    hint: 'PDF, up to 15 MB. It goes as it is, all its pages.',
    file: 'Letter',
    name: 'Appeal letter',
  },
  button: 'Attach',
  remove: 'Remove',
  view: 'View or remove',
  kept: 'What is kept',
  attachedBy: (name: string) => `Attached by ${name}`,
  shortened: 'Only the first 20,000 characters are sent.',
  otherPlan: 'Not sent: it was attached for another coverage.',
  laterLetter: 'Not sent: a letter was attached after it.',
  onlyPdf: 'An appeal letter must be a PDF. Save it as PDF and attach that.',
  noPdf: (title: string) =>
    `“${title}” is a PDF, and the service of this site takes texts only. Remove it; to send what it says, attach it ` +
    'again.',
  listed: 'Attached files',
  tooMany: 'A request can have 10 attached files. Remove one first.',
  noFile: 'Choose a file.',
  noTitle: 'Say what the document is.',
  noDate: 'Enter the date of the document.',
  lateDate: 'The date of the document is in the future.',
  earlyDate: 'The date of the document is before the patient’s birth.',
  noCoverage: 'Choose the coverage first: a card is sent only with its own plan.',
  /** For each reason to refuse a document: what is wrong, and the next step. */
  refusedDocument: {
    empty: 'This file is empty. Check that it was saved completely.',
    too_large: 'This file is larger than 15 MB. Save only the pages that the payer needs.',
    picture:
      'This file is a picture, and documents are sent as text. Attach a PDF with text, for example from your ' +
      'scanner’s text recognition (OCR).',
    heic:
      'This file is a phone photo (HEIC), and documents are sent as text. Attach a PDF with text, for example from ' +
      'your scanner’s text recognition (OCR).',
    pdf: 'This PDF cannot be read. Save it again from its source.',
    scan:
      'This PDF is a scan without text. Run text recognition (OCR) on it, or save the report from its source as a ' +
      'PDF, and attach that.',
    locked: 'This PDF is locked with a password. Save a copy without the password and attach that.',
    office: 'This is a Word or another Office file. Save it as PDF and attach that.',
    markup: 'This is a data or drawing file (XML). Save the document as PDF and attach that.',
    unknown: 'This kind of file cannot be read. Save the document as PDF or plain text and attach that.',
    heavy: 'Reading this file takes more memory than it may. Save only the pages that the payer needs, as a new PDF.',
    damaged: 'This file cannot be read. Save it again from its source, as PDF, and attach that.',
  },
  refusedConsent: {
    empty: 'This file is empty. Scan the form again.',
    too_large: 'This file is larger than 15 MB. Scan the form with a lower resolution.',
    heic:
      'This photo is in the HEIC format, which cannot be read. On an iPhone choose Settings, Camera, Formats, Most ' +
      'Compatible and take it again, or attach a screenshot of it.',
    heavy: 'Reading this picture takes more memory than it may. Scan the form with a lower resolution.',
    damaged: 'This picture cannot be read. Scan the form again and attach it as PDF, JPEG or PNG.',
    other: 'This is neither a PDF nor a picture. Scan the form and attach it as PDF, JPEG or PNG.',
  },
  refusedCard: {
    empty: 'This file is empty. Take the photo again.',
    too_large: 'This photo is larger than 15 MB. Take it with a lower resolution.',
    heic:
      'This photo is in the HEIC format, which cannot be read. On an iPhone choose Settings, Camera, Formats, Most ' +
      'Compatible and take it again, or attach a screenshot of it.',
    pdf: 'This is a PDF, and the card is sent as a picture. Attach a photo or a screenshot of the card (JPEG or PNG).',
    heavy: 'Reading this photo takes more memory than it may. Take it with a lower resolution.',
    damaged: 'This photo cannot be read. Take it again and attach it as JPEG or PNG.',
    other: 'This is not a photo. Attach a photo or a screenshot of the card (JPEG or PNG).',
  },
} as const;
