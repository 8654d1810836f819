import { type Knowledge, knowledgeOf } from '../../src/core/evidence/knowledge.ts';
import { doubtWords } from './doubt-words.ts';
import { drugClasses } from './drug-classes.ts';
import { labConcepts } from './lab-concepts.ts';
import { sensitivity } from './sensitivity.ts';

/** What the bridge knows of drugs, tests and sensitive information; each row says its source and who reviewed it. */
export const knowledge: Knowledge = knowledgeOf({ drugClasses, labConcepts, sensitivity, doubtWords });
