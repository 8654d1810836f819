import type { PDFDocumentProxy } from 'unpdf/pdfjs';

const maxPages = 40;

/**
 * Returns the text of a PDF, page by page; a scan has none. The library is loaded with the first PDF, since loading
 * takes longer than reading most PDFs.
 */
export async function textOfPdf(
  bytes: Buffer,
): Promise<{ readonly text: string; readonly shortened?: true } | { readonly unreadable: string }> {
  const { getDocumentProxy } = await import('unpdf');
  let pdf: PDFDocumentProxy;
  try {
    pdf = await getDocumentProxy(new Uint8Array(bytes), { verbosity: 0 });
  } catch (error) {
    return {
      unreadable:
        error instanceof Error && error.name === 'PasswordException'
          ? 'the PDF is locked with a password'
          : 'the PDF is damaged',
    };
  }
  try {
    const pages = Math.min(pdf.numPages, maxPages);
    const texts: string[] = [];
    for (let number = 1; number <= pages; number += 1) texts.push(await pageText(pdf, number));
    const text = texts.join('\n\n');
    return text.trim() === ''
      ? { unreadable: 'the PDF holds no text (a scan?)' }
      : { text, ...(pages < pdf.numPages ? { shortened: true } : {}) };
  } catch {
    return { unreadable: 'the PDF is damaged' };
  } finally {
    await pdf.loadingTask.destroy();
  }
}

async function pageText(pdf: PDFDocumentProxy, number: number): Promise<string> {
  const page = await pdf.getPage(number);
  const { items } = await page.getTextContent();
  return items.map((item) => ('str' in item ? `${item.str}${item.hasEOL ? '\n' : ''}` : '')).join('');
}
