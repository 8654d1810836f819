/**
 * Signs that a drug may cause and that a disease may have, each with the ICD-10-CM codes of the diseases that it is of,
 * by how they begin: where a drug was for one of them, "Nausea" may say that it did not help. Of a drug for another
 * disease the sign is the drug's. Compiled from general knowledge of diseases; not reviewed.
 */
export const signs: readonly (readonly [words: string, ...of: readonly string[]])[] = [
  [
    'rash(?:es)?|hives|urticaria|itch(?:ing|y)|pruritus|photosensitivity',
    ...['L', 'A', 'B', 'D69', 'D81', 'D82', 'D86', 'D89', 'M06.1', 'M08', 'M30', 'M31', 'M32', 'M33', 'M35', 'T78'],
    ...['E80', 'K74', 'K83', 'N18', 'D45', 'C84', 'C44', 'C96', 'H10', 'J30'],
  ],
  ['allergy', 'J30', 'J45', 'T78', 'H10', 'L2', 'L50', 'K52', 'Z91'],
  ['anaphyla(?:xis|ctic)|angioedema|(?:face|facial|lip|tongue) swelling', 'D84', 'T78', 'L50', 'Z91', 'D89.4', 'D47'],
  ['cough(?:ing)?', 'J', 'R05', 'I50', 'I26', 'I27', 'E84', 'A15', 'C34', 'D86', 'B44', 'K21', 'D8'],
  ['chest (?:pain|tightness)', 'I', 'J', 'K20', 'K21', 'K22', 'R07', 'F41', 'E84', 'D57'],
  [
    'bleed(?:ing|s)?|nosebleeds?|bruising',
    ...['D5', 'D6', 'D7', 'D8', 'C', 'K', 'N8', 'N9', 'I78', 'R58', 'R04', 'D25'],
  ],
  ['headaches?|migraines?', 'G43', 'G44', 'R51', 'I1', 'G93', 'M31', 'S06', 'C71', 'G08', 'J32', 'D35'],
  [
    '(?:nausea|nauseated|nauseous|vomit(?:s|ed|ing)?|(?:gi|gastrointestinal|stomach) (?:upset|distress))',
    ...['K', 'A0', 'R11', 'C', 'E10.43', 'E11.43', 'E13.43', 'O21', 'G43', 'H81', 'E27', 'F50', 'N18', 'N20', 'N80', 'E34'],
  ],
  [
    'diarrhea|constipation|heartburn|bloating|(?:stomach|abdominal) (?:pain|cramps?)|oily stools',
    ...['K', 'A0', 'R1', 'E84', 'C', 'E10.43', 'E11.43', 'E13.43', 'N80', 'N94', 'E34', 'D3A', 'E05', 'E03', 'F11', 'D84'],
    ...['E80', 'D57', 'M04', 'D89'],
  ],
  [
    'dizz(?:y|iness)|light-?headed(?:ness)?',
    ...['I', 'H81', 'H82', 'H83', 'R42', 'G20', 'G35', 'G43.8', 'G90', 'D5', 'D6', 'E27', 'E16', 'F41', 'E86'],
  ],
  ['faint(?:ed|ing)?|syncope', 'I', 'R55', 'G40', 'G90', 'D5', 'D6', 'E27', 'E16', 'E86'],
  ['drows(?:y|iness)|somnolen(?:t|ce)|(?:too )?(?:sleepy|sedated)|sedation', 'G47', 'R40', 'F32', 'F33', 'E03', 'G12'],
  ['insomnia|(?:poor|no|bad) sleep|sleepless(?:ness)?', 'F', 'G47', 'G25', 'R45', 'N95', 'M79'],
  ['sleepwalk(?:s|ed|ing)|nightmares?', 'F43', 'F51.3', 'F51.4', 'F51.5', 'G47.5'],
  [
    'fatigued?|tired(?:ness)?',
    ...['C', 'D', 'E', 'F', 'G', 'I', 'J', 'K', 'M', 'N18', 'R53', 'B'],
  ],
  [
    'palpitations?|(?:heart|pulse) (?:racing|fluttering|pounding)|racing heart|(?:brady|tachy)cardia',
    ...['I', 'E05', 'F4', 'R00', 'D5', 'D35', 'E27', 'F10', 'F11', 'G90'],
  ],
  [
    'edema|(?:leg|ankle|foot|feet|hand) swelling|fluid retention',
    ...['I', 'N0', 'N1', 'K7', 'R60', 'M', 'E03', 'O1', 'D84', 'T78', 'L50', 'E85', 'H35', 'E88'],
  ],
  ['weight gain|gained (?:weight|\\d+)', 'E66', 'E03', 'E24', 'I50', 'N0', 'N18', 'K7', 'E28', 'R63', 'E88'],
  ['weight loss|lost weight|loss of appetite', 'C', 'K', 'E05', 'E43', 'E44', 'E46', 'R63', 'R64', 'F50', 'E84', 'B20'],
  ['hair loss|alopecia', 'L6', 'L9', 'E0', 'M32', 'E28', 'D50'],
  ['dry mouth', 'M35', 'K11', 'R68', 'E23'],
  ['sweating|hot flashes|flushing', 'N95', 'E05', 'C', 'D3A', 'D35', 'E34', 'R61', 'L71', 'L74', 'G90', 'F4', 'E28', 'A', 'E16'],
  [
    'mood swings|irritab(?:le|ility)|agitat(?:ed|ion)|hallucinations?|confusion|restless(?:ness)?|anxiety|anxious',
    ...['F', 'G2', 'G3', 'G40', 'R4', 'N94', 'E05', 'K72', 'E87'],
  ],
  ['could not sit still', 'F90', 'G25', 'F84'],
  [
    '(?:word-finding|memory) (?:trouble|problems?|difficult(?:y|ies)|loss)|brain fog',
    ...['F', 'G20', 'G3', 'R41', 'I6', 'C71', 'S06', 'M32', 'M79', 'U09', 'E03'],
  ],
  [
    'tingling|numb(?:ness)?|paresthesias?',
    ...['G2', 'G3', 'G5', 'G6', 'G9', 'E10.4', 'E11.4', 'E13.4', 'M4', 'M5', 'M79', 'E53', 'D51', 'B02', 'R20', 'I73', 'E85'],
  ],
  ['tremors?|shak(?:y|ing|iness)', 'G2', 'G35', 'E05', 'F10', 'F41', 'R25', 'E16'],
  [
    'myalgias?|muscle (?:pain|aches?|cramps?|weakness|spasms?)|myopathy|rhabdomyolysis',
    ...['M', 'G1', 'G2', 'G35', 'G7', 'R25', 'R29', 'E05', 'E55', 'E83', 'E87', 'E74', 'B', 'J1'],
  ],
  ['mouth sores|stomatitis', 'K12', 'K13', 'K50', 'M35.2', 'L10', 'L12', 'M32', 'B00'],
  ['thrush|(?:yeast|serious|opportunistic|recurrent) infections?', 'B', 'D7', 'D80', 'D81', 'D82', 'D83', 'D84', 'E84', 'N76'],
  ['kidney stones?', 'N20', 'N21', 'N22', 'E72', 'E79', 'E83'],
  ['bad taste|metallic taste', 'R43'],
  ['hypoglycemia|low blood sugars?', 'E15', 'E16', 'E74', 'P70', 'D13'],
  ['hyperglycemia|high blood sugars?', 'E08', 'E09', 'E10', 'E11', 'E13', 'R73', 'O24', 'P70', 'E84'],
  ['hypotension|low blood pressure', 'I95', 'E27', 'G90', 'R57', 'I50'],
  ['hypertension|high blood pressure|blood pressure (?:went up|rose)', 'I', 'E26', 'N', 'O1', 'D35', 'G93'],
  ['hyperkalemia|high potassium', 'E87', 'N18', 'E27', 'G72'],
  ['hyponatremia|low sodium', 'E87', 'E22', 'E27', 'I50', 'K7', 'N18'],
  [
    '(?:elevated|raised|increased|high|abnormal) (?:liver (?:enzymes?|tests?)|transaminases|lfts?|alt|ast)',
    ...['K7', 'K8', 'B15', 'B16', 'B17', 'B18', 'B19', 'E83.0', 'E83.1', 'E88', 'R74', 'R94', 'C22'],
  ],
  [
    '(?:liver (?:enzymes?|tests?)|transaminases|lfts?|alt|ast) (?:(?:was|were|is|are) )?' +
      '(?:up|high|elevated|raised|went up|rose|rising|increased|doubled|tripled)|transaminitis',
    ...['K7', 'K8', 'B15', 'B16', 'B17', 'B18', 'B19', 'E83.0', 'E83.1', 'E88', 'R74', 'R94', 'C22'],
  ],
  ['leukopenia|neutropenia|low white (?:blood )?(?:cells?|count)|cytopenias?', 'D7', 'D6', 'D4', 'C', 'M32', 'B20', 'D8', 'M05'],
  ['pancreatitis', 'K85', 'K86', 'E78'],
  ['erectile dysfunction|impotence', 'N52', 'F52', 'E29', 'E23'],
  ['irritation', 'L2', 'L3', 'H0', 'H1', 'N7', 'J3'],
  ['(?:skin )?burning|stinging', 'G5', 'G6', 'B02', 'E10.4', 'E11.4', 'H04', 'H1', 'N3', 'N7', 'K14', 'M79', 'L71'],
];
