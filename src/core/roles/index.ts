/** The vocabulary in which role tables are written. */
export { agree, readBy, sameNumber, sameValue } from './agree.ts';
export * from './clauses.ts';
export { computed, derive } from './computed.ts';
export { defineRoles } from './define.ts';
export { reasons } from './reasons.ts';
export * from './words.ts';
