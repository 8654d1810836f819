import { describe, expect, test } from 'vitest';
import { sensitivity } from '../../mappings/knowledge/sensitivity.ts';
import { sensitivityBy } from '../../src/core/fhir/sensitivity.ts';

const words = sensitivityBy(sensitivity);
const inNote = (text: string) => words.ofText(`Rheumatoid arthritis, methotrexate not enough. ${text}. Plan as above.`);

describe('[K6] abbreviations and words of clinical notes that mean one thing', () => {
  test.each([
    ['HIV', ['PLWH', 'PLWHA', 'on HAART', 'cART since 2012', 'on ART since 2015', 'restarted ART', 'ART-naive', 'U=U']],
    ['HIV', ['AIDS', 'history of AIDS', 'has aids', 'died of aids', 'Acquired immune deficiency syndrome']],
    ['mental health', ['MDD', 'MDD, recurrent', 'GAD', 'SPMI', 'denies SI/HI', 'dysthymia', 'depressed mood']],
    ['mental health', ['depression', 'Depressive episode', 'feels depressed', 'ST normal. History of depression']],
    ['mental health', ['bone marrow depression and depression', 'depression of many years']],
    ['mental health', ['PHQ-9', 'PHQ 2', 'PHQ-A', 'GAD-7 score', 'MADRS', 'HAM-D 17', 'HAMA', 'HDRS', 'BDI-II', 'BDI']],
    ['mental health', ['C-SSRS', 'YMRS', 'PANSS', 'BPRS total score', 'EPDS', 'CES-D', 'Y-BOCS', 'PCL-5', 'ASRS v1.1']],
    ['mental health', ['Montgomery-Åsberg scale', 'Hamilton Rating Scale', 'Vanderbilt rating, parent', 'Conners 3']],
    [
      'substance use',
      ['AUDIT-C', 'AUDIT score', 'DAST-10', 'CAGE questionnaire', 'COWS 8', 'CRAFFT', 'Opioid Risk Tool'],
    ],
    ['cognitive disability', ['MMSE', 'Mini-Mental State Examination', 'MoCA', 'SLUMS', 'Mini-Cog']],
    ['violence and abuse', ['HARK']],
    [
      'substance use',
      ['IVDU', 'hx of IVDA', 'PWID', 'on MOUD', 'CIWA protocol', 'EtOH daily', 'IV drug use', 'AA meetings'],
    ],
    [
      'reproductive health',
      ['G3P1, TAB 2019', 'TAB 2019', 'EAB 2019', 'SAB x2', 'Plan B taken', 'took Plan B', 's/p BTL'],
    ],
    ['reproductive health', ['hCG, urine, qualitative', 'Serum hCG', 'HCG negative', 'beta-hCG <5', 'β-hCG', 'bHCG']],
    ['reproductive health', ['Choriogonadotropin, urine', 'Human chorionic gonadotropin']],
    ['reproductive health', ['D&C 2019', 'on OCPs', 'G2P1001', 'vasectomy']],
    ['sexual and reproductive health', ['gender-affirming testosterone', 'gender reassignment', 'transgender man']],
    ['sexually transmitted disease', ['RPR nonreactive', 'GC/CT negative', 'VDRL 1:8']],
    ['violence and abuse', ['molested as a child', 'SANE exam done', 'abuse']],
  ])('%s: %j', (category, texts) => {
    for (const text of texts) expect([text, inNote(text)]).toEqual([text, category]);
  });
});

describe('[K6] the same letters in an ordinary text', () => {
  test.each([
    [
      'Uses walking aids',
      'hearing aids',
      'HEARING AIDS, bilateral',
      'visual aids',
      'mobility aids',
      'This aids digestion',
    ],
    ['ST depression', 'ST-segment depression', 'ST/T depressions', 'ST elevation or depression', 'depression in V2-V4'],
    ['bone marrow depression', 'CNS depression', 'respiratory depression', 'myocardial depression', 'PR depression'],
    ['nervous system depressive effects', 'depression of the bone marrow', 'depressed ejection fraction'],
    ['MDD: 40 mg', 'MDD 8 tablets', 'anti-GAD antibodies', 'GAD65 positive', 'GAD Ab 12'],
    [
      'Plan B: start adalimumab',
      'If it fails, plan B is etanercept',
      'methotrexate 2.5 MG TAB 2019-02-01',
      '1 TAB 2020',
    ],
    [
      'G6PD normal',
      'D&C Red No. 28',
      'G-CSF',
      'STD paperwork done',
      'state of the art',
      'ART LINE placed',
      'art therapy',
    ],
    [
      'chart audit done',
      'AUDIT of charts',
      'COWS MILK allergy',
      'two cows',
      'BDI/TDI',
      'Vanderbilt University',
      'rib cage',
    ],
    ['10 CAPS', 'GAD67 antibody', 'Dr. Conners', 'scared of needles', 'harked back'],
    [
      'benzyl alcohol',
      'cetyl alcohol',
      'isopropyl alcohol',
      'alcohol-free wipes',
      'alcohol-based gel',
      'alcohol swabs',
    ],
    ['abuse-deterrent tablet', 'fetal hemoglobin 2%', 'bowel PREP', 'hives', 'gender: female', 'transferrin'],
  ])('%s, %s, ...', (...texts) => {
    for (const text of texts) expect([text, inNote(text)]).toEqual([text, undefined]);
  });
});

test('[K6] the name AUDIT alone is the score', () => {
  expect(words.ofText('AUDIT')).toBe('substance use');
});

test('[K6] a long text takes no time out of proportion', () => {
  const begin = performance.now();
  for (const part of ['aids ', 'ST ', 'st depression ', 'st-', ' alcohol', 'TAB ', 'G1', 'benzyl ', 'plan b '])
    words.ofText(part.repeat(20_000 / part.length));
  expect(performance.now() - begin).toBeLessThan(1000);
});
