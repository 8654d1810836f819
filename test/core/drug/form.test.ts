import { describe, expect, test } from 'vitest';
import { formOf, formTerm } from '../../../src/core/drug/form.ts';
import { spellOutForms } from '../../../src/core/drug/form-words.ts';

describe('one name for every spelling of a form', () => {
  test.each([
    // what is named by a route of a needle is an injection [K10]
    ['[K10] subcutaneous solution', 'injection'],
    ['[K10] intravenous recon soln', 'injection'],
    ['[K10] Intravenous Solution Reconstituted', 'injection'],
    ['[K10] intramuscular oil', 'injection'],
    ['[K10] IM susp', 'injection'],
    ['[K10] Powder for solution for infusion', 'injection'],
    ['[K10] IV/IM solution', 'injection'],
    ['[K10] intravitreal solution', 'injection'],
    ['[K10] SC emulsion', 'injection'],
    // a container for a needle
    ['[K10] Subcutaneous Solution Auto-injector', 'injection'],
    ['[K10] PnIj', 'injection'],
    ['[K10] Soln Prsyr', 'injection'],
    ['[K10] SoPn', 'injection'],
    ['[K10] pen injector kit', 'injection'],
    ['[K10] Cartridge', 'injection'],
    ['[K10] single-dose vial', 'injection'],
    ['[K10] INJ,SOLN', 'injection'],
    ['[K10] IVPB', 'injection'],
    // what is not for a needle, though its words are near
    ['Oral Solution', 'solution'],
    ['solution for oral syringe', 'solution'],
    ['Inhalation Solution vial', 'solution'],
    ['Nebulization Solution', 'solution'],
    ['Ophthalmic Suspension', 'suspension'],
    ['Subcutaneous Implant', 'implant'],
    ['Topical Oil', 'oil'],
    ['Kit', 'kit'],
    // abbreviations of drug files
    ['TB24', 'tablet'],
    ['CpDR', 'capsule'],
    ['Oral Cap', 'capsule'],
    ['susp', 'suspension'],
    ['SusR', 'suspension'],
    ['Tablet Extended Release 24 Hour', 'tablet'],
    ['vaginal tab', 'vaginal tablet'],
    ['Rectal Supp', 'suppository'],
    ['Inhalation Aerosol Solution', 'inhaler'],
    ['HFA aerosol inhaler', 'inhaler'],
    ['AePB Inhalation', 'inhaler'],
    ['Powder for Oral Suspension', 'powder'],
    ['Concentrate Solution', 'solution'],
    ['eye drops', 'drops'],
    ['Transdermal System', 'patch'],
    ['Device', 'device'],
  ])('%s', (title, term) => {
    expect(formTerm(title.replace('[K10] ', ''))).toBe(term);
  });

  test.each(['tablet of some kind', 'wafer or tablet maybe', 'Oral', 'Granules for Oral Suspension', ''])(
    'none for “%s”',
    (text) => {
      const term = formTerm(text);
      expect(term === undefined || term === 'granules').toBe(true);
    },
  );
});

test('an oral syringe or a vial to inhale from is no injection [K10]', () => {
  expect(formOf('oral syringe')?.family).not.toBe('injection');
  expect(formOf('vial for nebulizer')?.family).not.toBe('injection');
  expect(formOf('vial')).toMatchObject({ family: 'injection', device: 'vial' });
});

describe('words of drug files for what one chart in ten has [K10]', () => {
  test.each([
    ['lamotrigine 25 mg TbDL', 'lamotrigine 25 mg disintegrating tablet'],
    ['estradiol 0.075 mg/24 hr PTSW', 'estradiol 0.075 mg/24 hr patch'],
    ['estradiol 0.075 mg/24 hr semiweekly transdermal patch', 'estradiol 0.075 mg/24 hr transdermal patch'],
    ['Buprenorphine 15 MCG/HR Transdermal Patch Weekly', 'Buprenorphine 15 MCG/HR Transdermal patch'],
    ['Lidocaine HCl 2 % Mouth/Throat Solution', 'Lidocaine HCl 2 % oropharyngeal Solution'],
    ['prednisone 10 mg tablets in a dose pack', 'prednisone 10 mg tablets pack'],
    ['methotrexate 2.5 mg tablet weekly', 'methotrexate 2.5 mg tablet weekly'],
  ])('%s', (text, words) => {
    expect(spellOutForms(text).toLowerCase()).toBe(words.toLowerCase());
  });

  test.each([
    ['nasal Spry', 'spray', 'nasal'],
    ['mist for inhalation', 'spray', 'inhalation'],
    ['neb soln', 'solution', 'inhalation'],
    ['vag gel', 'gel', 'vaginal'],
    ['oral PwPk', 'powder', 'oral'],
    ['oral Pste', 'paste', undefined],
  ])('%s', (text, term, route) => {
    expect(formTerm(text)).toBe(term);
    expect(formOf(text)?.route).toBe(route);
  });
});

describe('the route that a dose form names', () => {
  test.each([
    ['Tablet for Oral Suspension', 'oral'],
    ['Powder for Oral Solution', 'oral'],
    ['Granules for Oral Suspension', 'oral'],
    ['solution for oral syringe', undefined],
    ['Oral Gel', undefined],
    ['Mucous Membrane Topical Solution', undefined],
    ['Topical Solution', 'topical'],
    ['Oral Transmucosal Lozenge', undefined],
    ['Transmucosal Film', 'transmucosal'],
  ])('%s', (form, route) => {
    expect(formOf(form)?.route).toBe(route);
  });
});

describe('two capitals before the form of a drug file are the route [K10]', () => {
  test.each([
    ['METFORMIN HCL 500 MG OR TABS', 'METFORMIN HCL 500 MG oral TABS'],
    ['HYDROCORTISONE 1 % EX CREA', 'HYDROCORTISONE 1 % topical CREA'],
    ['FLUTICASONE PROPIONATE 50 MCG/ACT NA SUSP', 'FLUTICASONE PROPIONATE 50 MCG/ACT nasal SUSP'],
    ['KETOROLAC TROMETHAMINE 30 MG/ML IJ SOLN', 'KETOROLAC TROMETHAMINE 30 MG/ML injection SOLN'],
    ['Xeljanz 5 mg or 11 mg tablet', 'Xeljanz 5 mg or 11 mg tablet'],
    ['ASPIRIN 81 MG OR TYLENOL 500 MG', 'ASPIRIN 81 MG OR TYLENOL 500 MG'],
  ])('%s', (text, words) => {
    expect(spellOutForms(text)).toBe(words);
  });
});
