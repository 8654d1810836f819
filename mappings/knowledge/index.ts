import { type Knowledge, knowledgeOf } from '../../src/core/evidence/knowledge.ts';
import { doubtWords } from './doubt-words.ts';
import { drugClasses } from './drug-classes.ts';
import { labConcepts } from './lab-concepts.ts';
import { sensitivity } from './sensitivity.ts';

export const knowledge: Knowledge = knowledgeOf({ drugClasses, labConcepts, sensitivity, doubtWords });
