import { expect, test } from 'vitest'
import { isOlderVersion, neededVersion } from '../../../src/core/intents/needed-version.ts'

test.each([
  ['needs: 0.2.0\n', '0.2.0'],
  ['version: 1\nneeds: "1.10.3" # since\nlater: { form: [', '1.10.3'],
  ['verify: { needs: 0.2.0 }\n', null],
  ['# needs: 0.2.0\n', null],
  ['', null],
])('%j needs %s', (config, version) => {
  expect(neededVersion(config)).toBe(version)
})

test.each([
  ['0.1.0', '0.2.0', true],
  ['0.9.0', '0.10.0', true],
  ['0.2.0', '0.2.0', false],
  ['0.2.0-rc.1', '0.2.0', false],
  ['1.0.0', '0.99.99', false],
])('%s is older than %s: %s', (version, than, isOlder) => {
  expect(isOlderVersion(version, than)).toBe(isOlder)
})
