import { withNamedOverlays } from '../src/core/overlay/named-overlays.ts';
import type { Registry } from '../src/core/overlay/registry.ts';
import { answerKnowledge, answerRoles, withAnswerRoles } from './answer-roles.ts';
import { answers } from './answers.ts';
import { benefitVerification } from './benefit-verification.ts';
import { drugRoles } from './drug-roles.ts';
import { enrollment } from './enrollment.ts';
import { drugNames } from './knowledge/brands.ts';
import { drugClasses } from './knowledge/drug-classes.ts';
import { ingredientNames } from './knowledge/ingredients.ts';
import { labConcepts } from './knowledge/lab-concepts.ts';
import { scores } from './knowledge/scores.ts';
import { priorAuth } from './prior-auth.ts';
import { priorAuthCoded } from './prior-auth-coded.ts';
import { priorAuthCurrent } from './prior-auth-current.ts';
import { questionRows } from './question-rows.ts';
import { roles } from './roles.ts';
import { valley } from './sites/valley.ts';

const base: Registry = {
  'prior-auth': {
    'prior-auth': priorAuth,
    'prior-auth-current': priorAuthCurrent,
    'prior-auth-coded': priorAuthCoded,
  },
  enrollment: { enrollment },
  'benefit-verification': { 'benefit-verification': benefitVerification },
  answers: { answers },
  roles,
  siteRoles: { answers: answerRoles },
  withAnswerRoles,
  rolesOverTables: drugRoles,
  answerNames: {
    tests: [...labConcepts, ...scores].map(({ name }) => name),
    classes: drugClasses.map(({ name }) => name),
  },
  answerKnowledge,
  questions: questionRows,
  overlays: { valley },
  drugNames: [
    ...ingredientNames,
    ...drugNames.flatMap(({ name, ingredients }) => [name, ...ingredients]),
    ...drugClasses.flatMap(({ drugs, before }) => [...drugs, ...before]),
  ],
};

/**
 * Every mapping to a service request, by kind and by its name in the sites file and on the command line, including
 * those of TypeScript overlays, and the roles that they read.
 *
 * @example Object.keys(mappings['prior-auth']) // ['prior-auth', 'prior-auth-current', ..., 'prior-auth@valley']
 */
export const mappings: Registry = withNamedOverlays(base);

export { answerKnowledge, answerRoles, withAnswerRoles } from './answer-roles.ts';
export { answers } from './answers.ts';
export { benefitVerification } from './benefit-verification.ts';
export { enrollment } from './enrollment.ts';
export { priorAuth } from './prior-auth.ts';
export { priorAuthCoded } from './prior-auth-coded.ts';
export { priorAuthCurrent } from './prior-auth-current.ts';
export { roles } from './roles.ts';
export { dispenseUnit, doseForm, gender, route } from './tables.ts';
export {
  base64Value,
  city,
  country,
  datetimeValue,
  days,
  email,
  familyName,
  fullDate,
  icd10,
  identifier,
  ndc11,
  npiValue,
  personName,
  phone,
  postalCode,
  quantity,
  state,
  text,
  wholeQuantity,
} from './value-transforms.ts';
