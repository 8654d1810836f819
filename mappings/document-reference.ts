import { defineMapping } from '../src/core/mapping/words/define.ts';
import { constant, each, from } from '../src/core/mapping/words/rules.ts';
import {
  type Category,
  type DocumentContent,
  DocumentReferenceShape,
  type RelatesTo,
} from '../src/writeback/resources/shapes.ts';
import { wholeNumber } from '../src/writeback/resources/transforms.ts';

/**
 * Maps a letter about a finished case to a FHIR DocumentReference. src/writeback/resources/common.ts fills the roots.
 */
export const documentReference = defineMapping('document-reference', DocumentReferenceShape, {
  resourceType: constant('DocumentReference', 'the resource'),
  identifier: each('%letter.identifier | %case.identifier', { system: from('system'), value: from('value') }),
  status: constant('current', 'a later letter replaces it'),
  docStatus: constant('final', 'the service has validated the outcome'),
  type: {
    coding: each('%letter.type', { system: from('system'), code: from('code'), display: from('display') }),
    text: from('%letter.type.text'),
  },
  category: each<Category>('%letter.category', {
    coding: each('$this', { system: from('system'), code: from('code'), display: from('display') }),
  }),
  subject: { reference: from('%case.patient') },
  date: from('%letter.created'),
  author: each('%letter.author', { reference: from('reference'), display: from('display') }),
  relatesTo: each<RelatesTo>('%replaced', {
    code: constant('replaces', 'the outcome has changed since'),
    target: { reference: from('reference') },
  }),
  description: from('%letter.description'),
  content: each<DocumentContent>('%letter', {
    attachment: {
      contentType: from('contentType'),
      data: from('data'),
      size: from(wholeNumber, 'size'),
      hash: from('hash'),
      title: from('title'),
      creation: from('created'),
    },
    format: { system: from('format.system'), code: from('format.code'), display: from('format.display') },
  }),
  context: {
    encounter: each('%case.encounter', { reference: from('$this') }),
    period: { start: from('%case.sentAt'), end: from('%letter.created') },
    related: each('%case.order', { reference: from('$this') }),
  },
});
