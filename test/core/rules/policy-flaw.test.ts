import { expect, test } from 'vitest'
import { registryText } from '../../../src/core/intents/registry-text.ts'
import { policyFlaw, removedRegistryFinding } from '../../../src/core/rules/policy-flaw.ts'

const LIST = '.orchestration/active_intents.yaml'
const FILE = '.orchestration/intents/INT-002.yaml'
const list = 'active_intents:\n  - { id: INT-001, name: a }\n'

test.each([
  ['a registry', LIST, list, null],
  ['a registry of files', LIST, registryText(list, [{ path: FILE, text: 'id: INT-002\nname: b\n' }]), null],
  ['a file', FILE, 'id: INT-002\nname: b\ndepends_on: [INT-001]\n', null],
  ['markers', LIST, '<<<<<<< a\n=======\n>>>>>>> b\n', 'has conflict markers'],
  ['bytes that are not UTF-8', FILE, 'id: \ufffd', 'is not UTF-8 text'],
  [
    'a damaged list',
    LIST,
    'active_intents: 1\n',
    "can't be read, line 1: expected a list as `active_intents`, found 1",
  ],
  [
    'a dependency on nothing in a file',
    LIST,
    registryText(list, [{ path: FILE, text: 'id: INT-002\nname: b\ndepends_on: [INT-009]\n' }]),
    `can't be read, ${FILE}, line 3: expected the id of another intent in the registry, found "INT-009"`,
  ],
])('%s', (_, path, text, flaw) => expect(policyFlaw(path, text)).toBe(flaw))

test.each([
  ['nothing', [], undefined],
  ['another file of the folder', ['.orchestration/intents/README.md'], undefined],
  ['the config', ['.orchestration/config.yaml'], `${LIST} is removed, and .orchestration/config.yaml stays`],
  ['two files', ['.intentignore', FILE], `${LIST} is removed, and .intentignore and 1 more stay`],
  ['a folder in its place', [`${LIST}/x`], `${LIST} is removed, and ${LIST}/x stays`],
])('a registry is removed, and %s stays', (_, kept, message) => {
  expect(removedRegistryFinding(kept, null)?.message).toBe(message)
})
