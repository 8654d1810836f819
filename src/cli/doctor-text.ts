import { counted } from '../core/counted.ts';
import type { Administrator, ToRegister } from './doctor/administrator.ts';
import type { DoctorReport, Section } from './doctor/examine.ts';
import type { DoctorFinding, Level } from './doctor/finding.ts';
import type { Paint, TextTone } from './paint.ts';
import { wrap } from './text.ts';

const words: Readonly<Record<Level, string>> = {
  ok: 'ok',
  note: 'note',
  problem: 'problem',
  'no-answer': 'no answer',
};
const tones: Readonly<Record<Level, TextTone>> = {
  ok: 'good',
  note: 'attention',
  problem: 'bad',
  'no-answer': 'bad',
};
const indent = 13;

/** The report for an engineer at a terminal. Values to be copied are on lines of their own, which are not wrapped. */
export function doctorText({ site, sections, administrator, result }: DoctorReport, paint: Paint): string {
  return [
    paint('title', `${site.id}: ${site.name}, ${site.iss}`),
    ...sections.map((section) => sectionText(section, paint)),
    ...administratorText(administrator, paint),
    `${summaryOf(sections)} ${hasUntried(sections) && result === 'ready' ? untriedWords : lastWords[result]}`,
    '',
  ]
    .join('\n\n')
    .replace(/\n\n$/, '\n');
}

const lastWords: Readonly<Record<DoctorReport['result'], string>> = {
  ready: 'Nothing is missing.',
  incomplete: 'The problems above must be solved before the site works as configured.',
  'no-answer': 'Not everything could be found out: run it again when all of them answer.',
};

const untriedWords = 'Not everything could be tried: the notes say what, and why.';

function hasUntried(sections: readonly Section[]): boolean {
  return sections.some(({ findings }) => findings.some(({ untried }) => untried === true));
}

function sectionText({ title, findings }: Section, paint: Paint): string {
  return [paint('title', title), ...findings.map((finding) => findingText(finding, paint))].join('\n');
}

function findingText({ level, text, next }: DoctorFinding, paint: Paint): string {
  const mark = paint(tones[level], words[level].padEnd(indent - 4));
  const headline = `  ${mark}  ${wrap(text, { indent, width: 120 })}`;
  return next === undefined
    ? headline
    : `${headline}\n${' '.repeat(indent)}${wrap(`Next: ${next}`, { indent, width: 120 })}`;
}

function administratorText({ ehr, service }: Administrator, paint: Paint): string[] {
  return [
    listText('For the EHR’s administrator', ehr, paint),
    ...(service.length === 0 ? [] : [listText('For the service', service, paint)]),
  ];
}

function listText(title: string, list: readonly ToRegister[], paint: Paint): string {
  return [paint('title', title), ...list.map(({ name, value }) => `  ${name}:\n    ${value}`)].join('\n');
}

function summaryOf(sections: readonly Section[]): string {
  const levels = sections.flatMap(({ findings }) => findings.map(({ level }) => level));
  const number = (level: Level) => levels.filter((each) => each === level).length;
  const silent = number('no-answer');
  return (
    `${number('ok')} ok, ${counted(number('note'), 'note')}, ${counted(number('problem'), 'problem')}` +
    `${silent === 0 ? '' : `, ${silent} without an answer`}.`
  );
}
