import { describe, expect, test } from 'vitest';
import { readText } from '../../../src/ehr/documents/read-text.ts';
import { base64, imageOf, pdfOf } from './support.ts';

describe('a note becomes plain text', () => {
  test('from a PDF, page after page', async () => {
    const data = await pdfOf(['Joint pain for six months.\nMethotrexate was stopped.', 'Plan: adalimumab.']);
    expect(await readText('application/pdf', data)).toEqual({
      text: 'Joint pain for six months.\nMethotrexate was stopped.\n\nPlan: adalimumab.',
    });
  });

  test('from a PDF that is called something else', async () => {
    expect(await readText('application/octet-stream', await pdfOf(['Seen today.']))).toEqual({ text: 'Seen today.' });
  });

  test('from RTF: code pages, fonts, tables; no fonts, titles or pictures', async () => {
    const rtf = String.raw`{\rtf1\ansi\ansicpg1252\deff0{\fonttbl{\f0 Arial;}{\f1\fcharset204 Arial Cyr;}}
{\colortbl;\red0\green0\blue0;}{\info{\title Hidden title}{\author Hidden author}}
\pard Caf\'e9 visit, {\b A1c}: 8.2%\par Next {\f1 \'cf\'f0} \u8364? {\*\generator Hidden;}
{\pict\pngblip 89504e470d}\line
\trowd Drug\cell Dose\cell\row MTX\cell 15 mg\cell\row end \{sic\}}`;
    expect(await readText('text/rtf', base64(rtf, 'latin1'))).toEqual({
      text: 'Café visit, A1c: 8.2%\nNext Пр €\nDrug\tDose\nMTX\t15 mg\nend {sic}',
    });
  });

  test('from HTML: what a reader sees, in lines', async () => {
    const html = `<!doctype html><html><head><title>Hidden</title><style>p{color:red}</style>
      <script>hidden()</script></head><body>
      <h1>Visit</h1><p>Pain &amp; swelling,&nbsp;<b>worse</b>.</p><ul><li>MTX</li><li>SSZ</li></ul>
      <table><tr><th>Test</th><th>Value</th></tr><tr><td>CRP</td><td>18 mg/L</td></tr></table>
      <a href="https://hidden.example">see</a><img src="x" alt="hidden"></body></html>`;
    const read = await readText('text/html', base64(html));
    expect(
      'text' in read
        ? read.text
            .split('\n')
            .map((line) => line.trim())
            .filter((line) => line !== '')
        : read,
    ).toEqual(['Visit', 'Pain & swelling, worse.', '* MTX', '* SSZ', 'Test\tValue', 'CRP\t18 mg/L', 'see']);
    expect(JSON.stringify(read)).not.toContain('idden');
  });

  test('from XHTML of a narrative', async () => {
    expect(
      await readText(
        'application/xhtml+xml',
        base64('<div xmlns="http://www.w3.org/1999/xhtml"><p>Stable.</p><p>Dose unchanged<br/>as before</p></div>'),
      ),
    ).toEqual({
      text: 'Stable.\n\nDose unchanged\nas before',
    });
  });

  test.each([
    ['text/plain', base64('naïve 5 µg'), 'naïve 5 µg'],
    ['text/plain; charset=utf-8', base64('\uFEFFnaïve'), 'naïve'],
    ['text/plain; charset="ISO-8859-1"', base64('na\u00efve', 'latin1'), 'naïve'],
    ['text/plain;charset=windows-1251', Buffer.from('cff0e8e2e5f2', 'hex').toString('base64'), 'Привет'],
    ['text/plain', Buffer.from('fffe410042000a00', 'hex').toString('base64'), 'AB'],
    [
      'text/html',
      base64('<html><head><meta charset="windows-1252"></head><body>caf\u00e9</body></html>', 'latin1'),
      'café',
    ],
    ['', base64('no type at all'), 'no type at all'],
  ])('from %s in its character set', async (type, data, text) => {
    expect(await readText(type, data)).toEqual({ text });
  });

  test('from text that is not UTF-8 although it does not say so, which is told', async () => {
    expect(await readText('text/plain', base64('caf\u00e9', 'latin1'))).toEqual({
      text: 'café',
      note: 'not UTF-8; read as Windows-1252',
    });
  });

  test('without control characters, trailing blanks and heaps of empty lines', async () => {
    expect(await readText('text/plain', base64('one  \r\n\r\n\r\n\r\ntwo\u0000\u0007\tthree\r'))).toEqual({
      text: 'one\n\ntwo\tthree',
    });
  });

  test('up to 20,000 characters, and says that it was shortened', async () => {
    const read = await readText('text/plain', base64('word '.repeat(6_000)));
    expect(read).toMatchObject({ shortened: true });
    expect('text' in read ? read.text.length : 0).toBe(19_999);
  });
});

describe('what cannot be read is a reason', () => {
  test.each([
    [
      'a PDF that is cut off',
      'application/pdf',
      async () =>
        base64(
          Buffer.from(await pdfOf(['text']), 'base64')
            .subarray(0, 60)
            .toString('latin1'),
          'latin1',
        ),
      'the PDF is damaged',
    ],
    [
      'a PDF behind a password',
      'application/pdf',
      () => pdfOf(['secret'], { userPassword: 'x' }),
      'the PDF is locked with a password',
    ],
    ['a PDF without text', 'application/pdf', () => pdfOf(['']), 'the PDF holds no text (a scan?)'],
    ['text that is called a PDF', 'application/pdf', async () => base64('hello'), 'it is called a PDF and is none'],
    ['text that is called RTF', 'application/rtf', async () => base64('hello'), 'it is called RTF and is none'],
    ['an RTF that holds nothing', 'text/rtf', async () => base64('{\\rtf1\\ansi }'), 'it holds no text'],
    ['blank text', 'text/plain', async () => base64(' \n '), 'it holds no text'],
    ['no base64', 'text/plain', async () => 'a*b', 'its data is not base64'],
    [
      'a character set that does not exist',
      'text/plain; charset=klingon',
      async () => base64('x'),
      'its character set is not known',
    ],
    ['an image', 'image/png', () => imageOf('image/png', 3, 3), 'it is an image, without text'],
    [
      'a C-CDA document',
      'application/hl7-v3+xml',
      async () => base64('<ClinicalDocument/>'),
      'it is a structured XML document, which is not read',
    ],
    [
      'a word-processor file',
      'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
      async () => base64('PK\u0003\u0004rest'),
      'its kind of file is not read',
    ],
    ['a recording', 'audio/mpeg', async () => base64('ID3'), 'it is a recording, without text'],
    ['more than ten megabytes', 'text/plain', async () => 'A'.repeat(14_100_000), 'it is larger than 10 MB'],
  ])('%s', async (_what, type, data, reason) => {
    expect(await readText(type, await data())).toEqual({ unreadable: reason });
  });
});
