import { describe, expect, test } from 'vitest';
import { asV1, covers, grants, scopeList } from '../../../src/core/fhir/scopes.ts';

test('scopeList keeps order and unknown scopes, once each', () => {
  expect(scopeList(' launch  openid launch https://ehr.example/own ')).toEqual([
    'launch',
    'openid',
    'https://ehr.example/own',
  ]);
  expect(scopeList('')).toEqual([]);
});

describe('grants', () => {
  test.each([
    ['patient/Coverage.rs', 'Coverage', 's', true],
    ['patient/Coverage.r', 'Coverage', 's', false],
    ['patient/Coverage.read', 'Coverage', 's', true],
    ['patient/Coverage.read', 'Coverage', 'c', false],
    ['patient/*.read', 'Coverage', 's', true],
    ['user/*.*', 'Task', 'c', true],
    ['system/Task.write', 'Task', 'u', true],
    ['patient/Coverage.sr', 'Coverage', 'r', false],
    ['patient/Observation.rs?category=laboratory', 'Observation', 's', true],
    ['patient/Coverage.', 'Coverage', 'r', false],
    ['Coverage.rs', 'Coverage', 'r', false],
  ] as const)('%s: %s.%s is %s', (scope, type, interaction, expected) => {
    expect(grants([scope], type, interaction)).toBe(expected);
  });

  test('nothing without scopes', () => {
    expect(grants([], 'Patient', 'r')).toBe(false);
  });
});

describe('covers', () => {
  test.each([
    [['patient/*.rs'], 'patient/Coverage.s', true],
    [['patient/*.read'], 'patient/Coverage.rs', true],
    [['patient/Coverage.r', 'patient/Coverage.s'], 'patient/Coverage.rs', true],
    [['patient/Coverage.rs'], 'patient/Coverage.crs', false],
    [['patient/Coverage.rs'], 'user/Coverage.rs', false],
    [['patient/Coverage.rs'], 'patient/*.rs', false],
    [['patient/Observation.rs?category=laboratory'], 'patient/Observation.rs', false],
    [['patient/Observation.rs?category=laboratory'], 'patient/Observation.rs?category=laboratory', true],
    [['launch'], 'launch', true],
    [['launch'], 'offline_access', false],
  ] as const)('%j covers %s: %s', (granted, scope, expected) => {
    expect(covers(granted, scope)).toBe(expected);
  });
});

test('asV1 says a v2 scope in the old words', () => {
  expect(asV1('patient/Coverage.rs')).toEqual(['patient/Coverage.read']);
  expect(asV1('patient/Task.crus')).toEqual(['patient/Task.read', 'patient/Task.write']);
  expect(asV1('openid')).toEqual(['openid']);
});
