import { systems } from '../../src/fhir/systems.ts';
import type { Table } from '../../src/mapping/words/rules.ts';
import { type DoseForm, doseForms } from '../../src/service/lists.ts';
import { codes, namesakes, texts } from './keys.ts';

const { sct, edqm, ncit, v3orderableDrugForm: v3form } = systems;

// Why a value has no row.
const another = 'the list has another word for the same, and the rows lead to that one';
const manner = 'says how a drug is given; charts name the form of what is given';
const vague = 'says nothing of the form';
const noForm = 'a device, a test or a food, not the form of a drug';
const twofold = 'the terms that charts use for it name a second value of the list too (gel, paste, gum)';
const noTerm = 'no term is known that certainly means it';

/**
 * Dose forms of the service that a FHIR form or an RxNorm dose form certainly is. A pen, syringe or auto-injector holds
 * an injection.
 */
export const doseFormTable: Table<DoseForm> = {
  name: 'dose form',
  list: doseForms,
  rows: {
    tablet: [
      ...codes(sct, '385055001 385057009 421026006'),
      ...codes(edqm, '10219000 10220000 10221000 10225000 10226000 10228000'),
      ...codes(
        ncit,
        'c42998 c42931 c42927 c42905 c42893 c42897 c42910 c42930 c42963 c42964 c42992 c42997 c42999 c60997 c61006',
      ),
      ...codes(v3form, 'tab ortab ertab ertab12 ertab24 ectab erectab drtab chewtab disintab cptab sltab buctab'),
      ...texts(
        'tablet|tab|tabs|tablets|oral tablet|extended release oral tablet|delayed release oral tablet|' +
          'disintegrating oral tablet|effervescent oral tablet|chewable tablet|chewable extended release oral tablet|' +
          'sublingual tablet|buccal tablet|tablet for oral suspension|film-coated tablet|film coated tablet|' +
          'conventional release oral tablet|prolonged-release oral tablet|prolonged-release tablet|' +
          'tablet,delayed release|tablet, delayed release|tablet, extended release|tablet,extended release|' +
          'tablet, film coated|tablet, coated',
      ),
    ],
    capsule: [
      ...codes(sct, '385049006 385053008 420692007'),
      ...codes(edqm, '10210000 10211000 10217000'),
      ...codes(ncit, 'c25158 c42916 c42902 c42895 c42917 c42928 c42936 c42954'),
      ...codes(v3form, 'cap orcap ercap ercap12 ercap24 entcap erentcap ereccap'),
      ...texts(
        'capsule|cap|caps|capsules|oral capsule|extended release oral capsule|delayed release oral capsule|' +
          'prolonged-release oral capsule|conventional release oral capsule|capsule,delayed release|' +
          'capsule, delayed release|capsule, extended release|capsule,extended release|capsule, hard|capsule, soft',
      ),
    ],
    injection: [
      ...codes(sct, '385219001 385220007 385221006'),
      ...codes(edqm, '11201000 11202000'),
      ...codes(ncit, 'c42945 c42946 c42914 c42926 c42995'),
      ...texts(
        'injection|injectable solution|injectable suspension|prefilled syringe|auto-injector|pen|pen injector|' +
          'jet injector|injection solution|solution for injection|suspension for injection|injection suspension|' +
          'injection emulsion|injection, solution|injection, suspension|solution for injection in pre-filled pen|' +
          'solution for injection in pre-filled syringe',
      ),
    ],
    solution: [
      ...codes(sct, '385023001'),
      ...codes(edqm, '10105000'),
      ...codes(ncit, 'c42986'),
      ...texts(
        'solution|oral solution|topical solution|ophthalmic solution|otic solution|nasal solution|' +
          'inhalation solution|mucous membrane topical solution|irrigation solution|intravenous solution|' +
          'intrathecal solution|intraperitoneal solution',
      ),
    ],
    suspension: [
      ...codes(sct, '385024007'),
      ...codes(edqm, '10106000'),
      ...codes(ncit, 'c42994'),
      ...texts(
        'suspension|oral suspension|extended release suspension|ophthalmic suspension|otic suspension|' +
          'inhalation suspension|rectal suspension|topical suspension',
      ),
    ],
    cream: [
      ...codes(sct, '385099005'),
      ...codes(edqm, '10502000'),
      ...codes(ncit, 'c28944'),
      ...texts('cream|topical cream|augmented topical cream|rectal cream|vaginal cream'),
    ],
    ointment: [
      ...codes(sct, '385101003'),
      ...codes(edqm, '10504000'),
      ...codes(ncit, 'c42966'),
      ...codes(v3form, 'oint'),
      ...texts(
        'ointment|topical ointment|augmented topical ointment|ophthalmic ointment|rectal ointment|nasal ointment|' +
          'oral ointment',
      ),
    ],
    gel: [
      ...codes(sct, '385100002'),
      ...codes(edqm, '10503000'),
      ...codes(ncit, 'c42934'),
      ...codes(v3form, 'gel'),
      ...texts('gel|topical gel|oral gel|rectal gel|vaginal gel|nasal gel|ophthalmic gel|urethral gel'),
    ],
    lotion: [...codes(ncit, 'c29167'), ...texts('lotion|topical lotion|augmented topical lotion')],
    foam: texts('foam|topical foam|rectal foam|vaginal foam|oral foam'),
    oil: [...codes(ncit, 'c42965'), ...texts('topical oil|oil')],
    shampoo: [...codes(ncit, 'c42981'), ...texts('shampoo|medicated shampoo')],
    soap: [...codes(ncit, 'c42983'), ...texts('medicated liquid soap|medicated bar soap')],
    patch: [
      ...codes(sct, '385114002'),
      ...codes(edqm, '10519000'),
      ...codes(ncit, 'c42968'),
      ...codes(v3form, 'patch tpatch'),
      ...texts('patch|transdermal patch|transdermal system|medicated patch'),
    ],
    film: [...codes(ncit, 'c42932'), ...texts('film|oral film|sublingual film|buccal film')],
    spray: [
      ...codes(sct, '385157007'),
      ...codes(ncit, 'c42989'),
      ...texts(
        'spray|nasal spray|metered dose nasal spray|topical spray|oral spray|mucosal spray|sublingual spray|' +
          'powder spray|inhalation spray',
      ),
    ],
    inhaler: texts('inhaler|metered dose inhaler|dry powder inhaler|nasal inhaler'),
    powder: [
      ...codes(ncit, 'c42972'),
      ...texts(
        'powder|oral powder|topical powder|inhalation powder|nasal powder|powder for oral solution|' +
          'powder for oral suspension',
      ),
    ],
    lozenge: [...codes(ncit, 'c42955'), ...texts('lozenge|oral lozenge')],
    gum: [...codes(ncit, 'c42894'), ...texts('chewing gum|gum')],
    suppository: [
      ...codes(sct, '385194003'),
      ...codes(ncit, 'c42993'),
      ...codes(v3form, 'supp recsupp'),
      ...texts('suppository|rectal suppository'),
    ],
    vaginal_suppository: texts('vaginal suppository'),
    vaginal_tablet: texts('vaginal tablet'),
    insert: [...codes(ncit, 'c60933'), ...texts('vaginal insert|insert')],
    ring: texts('vaginal ring'),
    enema: [...codes(ncit, 'c42915'), ...texts('enema')],
    implant: [...codes(ncit, 'c42942'), ...texts('drug implant|implant')],
    mouthwash: [...codes(ncit, 'c29269'), ...texts('mouthwash')],
    syrup: [...codes(ncit, 'c42996'), ...texts('syrup|oral syrup')],
    elixir: [...codes(ncit, 'c42912'), ...texts('elixir|oral elixir')],
    paste: [...codes(ncit, 'c42967'), ...texts('paste|oral paste')],
    pellet: texts('oral pellet'),
    kit: [...codes(ncit, 'c47916'), ...texts('kit')],
    aerosol: [...codes(ncit, 'c42887'), ...codes(v3form, 'aer'), ...texts('aerosol')],
    bead: [...codes(ncit, 'c42890'), ...codes(v3form, 'bead'), ...texts('bead|beads')],
    cement: [...codes(ncit, 'c45414'), ...codes(v3form, 'cement'), ...texts('cement')],
    crystal: [...codes(ncit, 'c42901'), ...codes(v3form, 'crys'), ...texts('crystal|crystals')],
    disc: [...codes(ncit, 'c43525'), ...codes(v3form, 'disk'), ...texts('disc|disk')],
    douche: [...codes(ncit, 'c42679'), ...codes(v3form, 'douche'), ...texts('douche')],
    emulsion: [...codes(ncit, 'c42913'), ...texts('emulsion|ophthalmic emulsion|topical emulsion|oral emulsion')],
    inhalant: [...codes(ncit, 'c42944'), ...codes(v3form, 'inhl'), ...texts('inhalant')],
    liniment: [...codes(ncit, 'c42949'), ...codes(v3form, 'lin'), ...texts('liniment')],
    swab: [...codes(ncit, 'c47898'), ...codes(v3form, 'swab medswab'), ...texts('swab|medicated swab')],
    tape: [...codes(ncit, 'c47897'), ...texts('tape|medicated tape')],
    tincture: [...codes(ncit, 'c43000'), ...codes(v3form, 'tinc'), ...texts('tincture')],
    wafer: [...codes(ncit, 'c43003'), ...codes(v3form, 'wafer'), ...texts('wafer')],
    bar: [...codes(ncit, 'c42892'), ...codes(v3form, 'bar chewbar'), ...texts('bar|chewable bar')],
    drops: [
      ...codes(v3form, 'drop ndrop opdrop ordrop otdrop'),
      ...texts('drops|eye drops|ear drops|nasal drops|oral drops|ophthalmic drops|otic drops'),
    ],
    // The text alone is what people call a tablet or a capsule too.
    pill: [...codes(ncit, 'c25394'), ...codes(v3form, 'pill')],
    liner: [...codes(ncit, 'c45413'), ...texts('liner, dental')],
    ...namesakes(ncit, {
      cigarette: 'c42678',
      cloth: 'c60884',
      concentrate: 'c60891',
      cone: 'c42900',
      culture: 'c45415',
      diaphragm: 'c47890',
      dressing: 'c42763',
      extract: 'c42929',
      generator: 'c48193',
      globule: 'c42937',
      graft: 'c45416',
      irrigant: 'c42947',
      jelly: 'c42948',
      lipstick: 'c42952',
      liquid: 'c42953',
      packing: 'c47887',
      pastille: 'c60985',
      plaster: 'c42970',
      poultice: 'c47913',
      rinse: 'c42979',
      salve: 'c42980',
      sponge: 'c47912',
      stick: 'c42991',
      strip: 'c47914',
      suture: 'c47889',
      tampon: 'c47892',
      troche: 'c43001',
    }),
  },
  without: {
    sol: another,
    injectable: another,
    infusion: manner,
    inhalation: manner,
    irrigation: manner,
    bulk: vague,
    miscellaneous: vague,
    breadstick: noForm,
    catheter: noForm,
    device: noForm,
    food: noForm,
    lens: noForm,
    test: noForm,
    dentifrice: twofold,
    resin: twofold,
    deposit: noTerm,
    lollipop: noTerm,
    mucilage: noTerm,
    rod: noTerm,
    tea: noTerm,
    wash: noTerm,
    wax: noTerm,
  },
};
