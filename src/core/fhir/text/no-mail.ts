import type { Address } from 'fhir/r4.js';
import { memoized } from '../../text-cache.ts';

/**
 * Whether an address certainly states that mail does not reach the patient there: `HOMELESS`, `No fixed address`, `BAD
 * ADDRESS - MAIL RETURNED`. A remark that mail was returned counts even beside a house number. Otherwise a line with a
 * house or box number is an address, whatever its words. So are a shelter, a line with "c/o", and General Delivery.
 *
 * @example saysNoMail({ line: ['HOMELESS'], city: 'Marlow Falls' }) // true
 * @example saysNoMail({ line: ['HOMELESS', 'c/o Unity Shelter, 40 Alder Ct'] }) // false
 */
export function saysNoMail({ line = [], city }: Address): boolean {
  const kinds = line.map((text) => (typeof text === 'string' ? kindOf(text) : 'silent'));
  if (kinds.includes('returned')) return true;
  return (kinds.includes('nowhere') || isNoCity(city)) && !kinds.includes('place');
}

/** Whether the city holds words other than the name of a city: `HOMELESS`, `Address on file`. */
export function isNoCity(city: unknown): boolean {
  return typeof city === 'string' && isNowhere(city);
}

const isNowhere = memoized((city) => returnedWords.test(city) || nowhereWords.test(city));

/** `returned` applies to the whole address, `nowhere` only if no line names a place. */
type Kind = 'returned' | 'nowhere' | 'place' | 'silent';

const digit = /\d/;

const kindOf = memoized((text): Kind => {
  if (returnedWords.test(text)) return 'returned';
  if (digit.test(text.replace(dates, ' ')) || placeWords.test(text.replace(noShelter, ' '))) return 'place';
  return nowhereWords.test(text) || labelWords.test(text) ? 'nowhere' : 'silent';
});

// "MAIL RETURNED 3/14/26" and "moved in 2025" do not contain a house number.
const dates = /\b\d{1,2}[/.-]\d{1,2}(?:[/.-]\d{2,4})?\b|\b(?:in|since|on|as of)\s+(?:19|20)\d\d\b/gi;

const noShelter = /\b(?:no|without|needs?|not in an?y?) shelter\b/gi;

const placeWords = new RegExp(
  [
    String.raw`\b(?:shelter|mission|rescue|house|hostel|motel|hotel|inn|lodge|hall|cent(?:er|re)|church)\b`,
    String.raw`\b(?:ministr(?:y|ies)|salvation army|c\/o|care of|general delivery|p\.? ?o\.? box|box [a-z])\b`,
  ].join('|'),
  'i',
);

const returnedWords = new RegExp(
  [
    String.raw`\b(?:bad|invalid|incorrect|wrong|undeliverable|outdated|not a valid) (?:mailing )?addr(?:ess|\b)`,
    String.raw`\baddr(?:ess)?\.? (?:is )?(?:bad|invalid|incorrect|wrong|undeliverable|not valid|no good)\b`,
    String.raw`\b(?:mail|letters?)(?: was| is| has been| were)? (?:returned|undeliverable|came back)\b`,
    String.raw`\breturn(?:ed)? to sender\b|\breturn(?:ed)? mail\b(?! to\b)|\bundeliverable\b|` +
      String.raw`\bunable to (?:forward|deliver)\b`,
    String.raw`\bno forwarding\b|\bleft no (?:forwarding )?address\b|\bno longer (?:lives?|at|there|here)\b`,
    String.raw`^moved(?:$|[\s,;.-]+(?:out|away|no|left|un|to unknown|address))`,
    String.raw`\bdo not (?:mail|use|send(?: mail)?)\b|\bno mail\b|\bdeceased\b`,
    String.raw`\b(?:old|former|previous|prior) addr(?:ess)?\b|\baddr(?:ess)? (?:is )?(?:not current|outdated|old)\b`,
    String.raw`\b(?:needs?|requires?|pending|please) (?:to be |an? )?(?:updat|verif|correct)|` +
      String.raw`\b(?:verify|update|correct) (?:the |new |current |mailing )?addr(?:ess)?\b`,
  ].join('|'),
  'i',
);

const nowhereWords = new RegExp(
  [
    String.raw`\b(?:homeless(?:ness)?|houseless|undomiciled|unhoused|unsheltered|un ?domiciled|transient)\b`,
    String.raw`\bno (?:fixed|permanent|current|known|home|street|mailing|physical|valid|stable|regular|set|good)?\s*` +
      String.raw`(?:address|abode|residence|addr|home|housing)\b`,
    String.raw`\bnone (?:given|provided|known|on file)\b|\bnot (?:on file|known|provided|given)\b`,
    String.raw`\bwithout (?:a |an )?(?:fixed |permanent )?(?:home|address|housing|residence)\b|^nfa$|\bunknown\b`,
    String.raw`\baddr(?:ess)? (?:is )?(?:needed|pending|missing|not known|to follow|declined|refused|withheld)\b`,
    String.raw`\b(?:needs?|obtain|get) (?:new |current )?addr(?:ess)?\b|\bon file\b|^same(?: as\b|$)`,
    String.raw`^(?:please )?(?:see|refer to) (?:above|below|attached|chart|demographics|face ?sheet|notes?|comments?|` +
      String.raw`previous|prior|primary|mailing|guarantor|other)\b|^confidential(?: addr(?:ess)?)?$|^incarcerated$`,
    String.raw`\b(?:liv|stay|resid)(?:es|ing|s) with\b|\bcouch[ -]?surf|` +
      '^with (?:an? )?(?:friends?|family|relatives?)$',
    String.raw`\b(?:liv(?:es|ing)|sleep(?:s|ing)|stay(?:s|ing)) (?:in|on|out of) (?:an? |the |his |her |their )?` +
      String.raw`(?:car|vehicle|van|truck|tent|street|streets|camp|woods)\b`,
    String.raw`\b(?:patient|pt) (?:declined|refused|does not know)\b`,
    '^(?:declined|refused|test|placeholder)$',
  ].join('|'),
  'i',
);

// A label in place of an address. Checked only in lines, because there are towns with these names.
const labelWords = /^(?:street|address|addr|home|street address|home address)$/i;
