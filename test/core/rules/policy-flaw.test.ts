import { expect, test } from 'vitest'
import { registryText } from '../../../src/intents/registry-text.ts'
import { policyFlaw } from '../../../src/rules/policy-flaw.ts'

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
