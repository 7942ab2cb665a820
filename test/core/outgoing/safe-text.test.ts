import { expect, test } from 'vitest'
import {
  fingerprint,
  published,
  safe,
  safeCode,
  safeList,
  safeName,
  safePath,
  storedFingerprint,
} from '../../../src/core/outgoing/safe-text.ts'

test('a fingerprint is equal in one clone, and another one in each other clone', () => {
  expect(fingerprint('hunter2', 'a')).toBe(fingerprint('hunter2', 'a'))
  expect(fingerprint('hunter2', 'a')).not.toBe(fingerprint('hunter2', 'b'))
  expect(storedFingerprint(fingerprint('hunter2', 'a'))).toBe(fingerprint('hunter2', 'a'))
  for (const it of ['hunter2', '', null, 1, 'a'.repeat(17)]) expect(storedFingerprint(it)).toBeNull()
})

test.each([
  ['Bash', true],
  ['mcp__kotef__check', true],
  ['no-new-files', true],
  ['two words', false],
  ['x=1', false],
  ['', false],
  ['a'.repeat(65), false],
])('the name %s is kept: %s', (name, isKept) => {
  expect(safeName(name, 's')).toBe(isKept ? name : `name ${fingerprint(name, 's')}`)
})

test.each([
  ['src/a.ts', true],
  ['.env', true],
  ['a b', true],
  ['/home/hunter2/a', false],
  ['../a', false],
  ['a/../b', false],
  ['~/a', false],
  ['C:\\a', false],
  ['https://u:p@host/a', false],
  ['', false],
  ['a'.repeat(201), false],
])('the path %s is kept: %s', (path, isKept) => {
  expect(safePath(path, 's')).toBe(isKept ? path : `path ${fingerprint(path, 's')}`)
  expect(safePath(path, null)).toBe(isKept ? path : 'a path outside')
})

test('sentences are made of safe texts and numbers', () => {
  const what = safeCode(published('npm test'))
  expect(safe`${what} failed ${2} times${null}`).toBe('`npm test` failed 2 times')
  expect(safeList([what, safe`b`])).toBe('`npm test`, b')
  expect(safeCode(published('a`b'))).toBe('"a`b"')
})
