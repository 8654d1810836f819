import type { Resource } from 'fhir/r4.js';
import { describe, expect, test } from 'vitest';
import { indexChart } from '../../../src/core/fhir/references/graph.ts';
import { readShape } from '../../../src/core/fhir/shape/read-shape.ts';
import { shapeWarnings } from '../../../src/core/fhir/shape/shape-warnings.ts';
import { isDamaged, mendText } from '../../../src/core/fhir/text/damage.ts';
import { looksMisread } from '../../../src/core/fhir/text/misread.ts';

describe('a text is decoded where it has one meaning only [K3]', () => {
  test.each([
    ['a letter by its number', 'Wegm&#xFC;ller', 'Wegmüller'],
    ['a letter by its decimal number', 'Nev&#225;rez', 'Nevárez'],
    ['a letter by its name', 'Fern&aacute;ndez', 'Fernández'],
    ['a fraction', 'Take &frac12; tablet', 'Take ½ tablet'],
    ['a sign of comparison', 'if BP &lt; 90 or A1c &ge; 9', 'if BP < 90 or A1c ≥ 9'],
    ['escaped twice', 'Smith &amp;amp; Jones', 'Smith & Jones'],
    ['escaped three times', 'BP &amp;amp;lt;90', 'BP <90'],
    ['without its semicolon, as browsers read it', 'Smith &amp Jones', 'Smith & Jones'],
    ['a blank that does not break', '5&nbsp;mg', '5 mg'],
    ['a blank in capital letters', '5&NBSP;mg', '5 mg'],
    ['a number that HTML gives the meaning of Windows-1252', '5&#150;10 mg', '5–10 mg'],
    ['line ends', 'Take 1 tablet<br/>with food<BR>daily', 'Take 1 tablet\nwith food\ndaily'],
    ['an escaped line end', 'Take 1 tablet&lt;br /&gt;with food', 'Take 1 tablet\nwith food'],
    ['paragraphs', '<p>Take 1 tablet</p><p>with food</p>', '\nTake 1 tablet\nwith food\n'],
    ['looks', 'Take <b>1</b> <span style="color: red">tablet</span>', 'Take 1 tablet'],
    ['Windows-1252 as Latin-1', 'patient\u0092s dose 5\u009610 mg', 'patient’s dose 5–10 mg'],
    ['UTF-8 as Latin-1', '\u00c3\u0081lvarez', 'Álvarez'],
    ['a quote of UTF-8 as Latin-1', 'don\u00e2\u0080\u0099t', 'don’t'],
    ['a line end of Unicode', 'Take 1\u0085daily', 'Take 1\ndaily'],
    ['a letter whose second byte is a soft hyphen', 'Garc\u00c3\u00ada', 'García'],
    ['one whose second byte is a blank', 'Pe\u00c3\u00b1\u00c3\u00a0', 'Peñà'],
    ['one at the beginning of a word', '\u00c3\u00a0 jeun', 'à jeun'],
    ['a sign', 'keep at 20\u00c2\u00b0C, ½ of 5\u00c2\u00a0mg', 'keep at 20°C, ½ of 5 mg'],
    ['a fraction', 'Take Â½ tablet', 'Take ½ tablet'],
    ['a letter of Windows-1252', 'MUÃ‘OZ', 'MUÑOZ'],
    ['a capital at the beginning', 'Ã€vila', 'Àvila'],
    ['a quote of Windows-1252', 'Dâ€™Arcy', 'D’Arcy'],
    ['quotes of which one is a control character', 'â€œwith foodâ€\u009d', '“with food”'],
    ['a letter of Central Europe', 'KovaÄ\u008d, Å\u00a1imek', 'Kovač, šimek'],
    ['letters misread twice', 'GarcÃƒÂ\u00ada', 'García'],
    ['a line end of HL7 v2', 'by mouth\\.br\\twice', 'by mouth\ntwice'],
    ['two of them', 'Take 1\\.sp2\\daily', 'Take 1\n\ndaily'],
    ['the separators of HL7 v2', 'Smith \\T\\ Jones \\F\\ a\\S\\b \\R\\ c\\E\\d', 'Smith & Jones | a^b ~ c\\d'],
    ['a line end in its bytes', 'Take 1\\X0D0A\\daily', 'Take 1\r\ndaily'],
    ['what HL7 v2 highlights', 'Take \\H\\1\\N\\ tablet', 'Take 1 tablet'],
  ])('%s', (_, given, text) => {
    const mended = mendText(given);
    expect(mended).toMatchObject({ text, isDamaged: false });
    expect(mended.note).toBeDefined();
    expect(mendText(text)).toEqual({ text, isDamaged: false });
  });
});

describe('a text that means itself stays [K3]', () => {
  test.each([
    'AT&T',
    'Smith & Jones',
    '&',
    'R&D; Pharma',
    'Smith &Jones; MD',
    'BP <90',
    '<5 mg or >10 mg',
    'a <5 and >3 b',
    'a<b',
    'Wegm\u00fcller \u0301',
    '\u{1f48a} tablet',
    'C:\\T\\x',
    '\\\\scans\\T\\x',
    'and\\or \\N\\A',
    'SÃO PAULO',
    'CAFÉ’s',
    'increase to 2 tablets?',
    'Allergic? Take 1 tablet daily',
    '',
  ])('%s', (text) => {
    expect(mendText(text)).toEqual({ text, isDamaged: false });
  });
});

describe('what cannot be decoded with certainty is damaged [K3]', () => {
  test.each([
    ['a lost character', 'Take \ufffd tablet'],
    ['a lost character as UTF-8 read as Latin-1', 'Take ï¿½ tablet'],
    ['half a character', 'Take \ud835 tablet'],
    ['no character of Unicode', 'a\uffff'],
    ['a control character without a meaning', 'a\u0081 ā'],
    ['a number outside Unicode', '&#x110000;'],
    ['the number of a half', '&#xD835;'],
    ['the number nothing', 'a&#0;'],
    ['an escape that is cut off', 'Fen&#xF'],
    ['an escape in capital letters', 'M&UUML;LLER'],
    ['an escape that may be a name', 'Smith &Lang; MD'],
    ['a tag that begins only', 'Hepatitis <B> surface'],
    ['a tag around what is struck out', 'Take <s>2</s> 1 tablet'],
    ['a tag around a power', '10<sup>9</sup>/L'],
    ['a tag that hides', 'Take <span style="display:none">2</span> tablets'],
    ['a place that nobody filled', 'Take at <time>'],
    ['a cell of a table', '<table><tr><td>5</td><td>mg</td></tr></table>'],
    ['a number of a list', '<ol><li>5 mg</li></ol>'],
    ['tags that cross', '<b>5<i> mg</b></i>'],
    ['a tag that is cut off', 'Take 1 tablet<br'],
    ['a tag of a word processor', 'Take 1<o:p></o:p>'],
    ['a comment', 'Take <!-- 2 --> 1'],
    ['a question mark in place of a dose', 'Take ? tablet by mouth'],
    ['one in capital letters', 'TAKE ? TAB PO BID'],
    ['one of an amount', 'Inject ?mL under the skin'],
    ['one of a time', 'Take 1 capsule every ? hours'],
    ['one within a number', 'Give 1?2 tablets daily'],
    ['one behind a number', '1? tablets daily'],
    ['one without a verb', '? tab daily'],
    ['a letter of a character set of HL7 v2', 'Take 1\\X83\\ daily'],
    ['an escape of a site', 'Take 1\\Z12\\ daily'],
    ['an escape of HL7 v2 that is cut off', 'Take 1 daily\\.br'],
    ['a letter of which a blank may be a byte', '\u00c5\u00a0koda'],
  ])('%s', (_, text) => {
    expect(isDamaged(text)).toBe(true);
    expect(mendText(text).isDamaged).toBe(true);
  });
});

test.each(['MANHÃ’s', 'IRMÃ\u00a0TERESA'])('%s may mean itself and is told [K3]', (text) => {
  expect(mendText(text)).toEqual({ text, isDamaged: false, isMisread: true });
});

test('letters that were decoded are told too, control characters and escapes are not [K3]', () => {
  for (const text of ['NevÃ¡rez', 'donâ€™t', '5Â°C', 'Nev?rez']) expect(mendText(text).isMisread).toBe(true);
  for (const text of ['\u00c3\u0081lvarez', 'Nev&#225;rez', 'a\\T\\b'])
    expect(mendText(text).isMisread).toBeUndefined();
});

describe('letters that look misread are told [K3]', () => {
  test.each(['NevÃ¡rez', 'donâ€™t', '5Â°C', 'ï»¿Ada', 'Nev?rez', 'Take ? tablet by mouth'])('%s', (text) => {
    expect(looksMisread(text)).toBe(true);
  });

  test.each(['Nevárez', 'don’t', '5 °C', 'SÃO PAULO', 'CAFÉ’s', 'Allergic? yes', 'https://x.example/a?b=c', 'Âge'])(
    '%s is none',
    (text) => {
      expect(looksMisread(text)).toBe(false);
    },
  );
});

describe('a resource is read with its texts decoded [K3]', () => {
  const patient = (family: string) => ({ resourceType: 'Patient' as const, id: 'p1', name: [{ family }] });

  test('what was decoded is told by its place, and the given resource stays', () => {
    const given = patient('Wegm&#xFC;ller');
    const { resource, decoded, misshapen } = readShape(given);
    expect(resource).toEqual(patient('Wegmüller'));
    expect(decoded).toMatchObject([{ path: 'name[0].family', text: 'Wegmüller' }]);
    expect(misshapen).toEqual([]);
    expect(given).toEqual(patient('Wegm&#xFC;ller'));
  });

  test('the texts that have lost characters are told of the resource', () => {
    const shape = readShape(patient('F\ufffdnwick'));
    expect(shapeWarnings('Patient/p1', shape)).toEqual([
      'Patient/p1: characters are lost in the text of name[0].family.',
    ]);
  });

  test('codes, addresses of systems and data are no texts', () => {
    const given = {
      resourceType: 'Observation' as const,
      status: 'final' as const,
      code: { coding: [{ system: 'http://x.example/?a=1&amp;b', code: 'a&lt;b' }] },
    };
    expect(readShape(given).resource).toBe(given);
  });

  test('texts of what is contained are found under its own name', () => {
    const graph = indexChart([
      {
        resourceType: 'MedicationRequest',
        id: 'm1',
        contained: [{ resourceType: 'Medication', id: 'd1', code: { text: 'A &amp; B' } }],
      } as Resource,
    ]);
    expect(graph.decodedAt).toBeUndefined();
    expect(graph.find('Medication/d1 in MedicationRequest/m1')?.resource).toMatchObject({ code: { text: 'A & B' } });
    const place = { resource: 'Medication/d1 in MedicationRequest/m1', path: 'Medication.code' };
    expect(graph.decodedAt?.('A & B', place)).toBeDefined();
    expect(graph.decodedAt?.('1357547', place)).toBeUndefined();
    expect(graph.decodedAt?.('A & B', { ...place, path: 'Medication.form' })).toBeUndefined();
  });
});

test('a long text of signs takes no time out of proportion', () => {
  const begin = performance.now();
  for (const part of ['<b ', '&', '&#x', '<br', '\\', '\\H\\', '\\T', 'Ã', 'Ã‘', 'take ?', '?'])
    mendText(part.repeat(60_000 / part.length));
  expect(performance.now() - begin).toBeLessThan(1000);
});
