import { type Knowledge, knowledgeOf } from '../../src/core/evidence/knowledge.ts';
import { doubtWords } from './doubt-words.ts';
import { drugClasses } from './drug-classes.ts';
import { labConcepts } from './lab-concepts.ts';
import { sensitivity } from './sensitivity.ts';

/** The bridge's knowledge of drugs, tests and sensitive information. Each row has its source and reviewer. */
export const knowledge: Knowledge = knowledgeOf({ drugClasses, labConcepts, sensitivity, doubtWords });
