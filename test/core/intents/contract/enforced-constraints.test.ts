import { expect, test } from 'vitest'
import {
  closedGlobs,
  constraintsOfFile,
  constraintsOfIntent,
  constraintWords,
  dependencyConstraint,
  ruleOfText,
} from '../../../../src/core/intents/contract/enforced-constraints.ts'
import { isManifest, newDependencies } from '../../../../src/core/intents/contract/manifests.ts'

test('paths, commands and dependencies are enforced; sizes are for review, and the rest is advice', () => {
  const texts = [
    ...[
      'DO NOT touch `x/**`',
      'MUST NOT run `npm publish`',
      'Never add dependencies',
      'DO NOT change more than 2 files',
    ],
    ...['No behaviour change', 'Be kind', 'DO NOT rename `src/a.ts`', 'Never remove `src/a.ts`'],
  ]
  const found = constraintsOfIntent('INT-001', texts)
  expect(found.map(it => [it.by, it.says, it.rule.kind])).toEqual([
    ['INT-001', texts[0], 'paths'],
    ['INT-001', texts[1], 'commands'],
    ['INT-001', texts[2], 'no-new-dependencies'],
  ])
  expect(found.map(constraintWords)[0]).toBe('INT-001 says: DO NOT touch `x/**`')
  expect(dependencyConstraint(found)).toBe(found[2])
  expect(dependencyConstraint(found.slice(0, 2))).toBeNull()
  expect(texts.map(it => ruleOfText(it)?.kind ?? null).slice(3)).toEqual([
    ...['files-max', 'no-behaviour-change', null, null, null],
  ])
})

test('a folder is closed with all below it, in backticks or not', () => {
  const found = constraintsOfFile(
    'K',
    '- Never edit anything under `infra/`\n- Forbidden: deploy/\n- DO NOT touch `a.ts`\n',
  )
  expect(closedGlobs(found)).toEqual(['infra/**', 'deploy/**', 'a.ts/**'])
})

test('a line with a condition on its next line forbids nothing by itself', () => {
  expect(constraintsOfFile('K', '- DO NOT touch `x/**`\n  unless the ticket requires it\n')).toEqual([])
  expect(constraintsOfFile('K', '- DO NOT touch `x/**`\n- unless\n')).toHaveLength(1)
})

test.each([
  '  (unless the ticket requires it)',
  '  **unless** asked',
  'Unless asked.',
  '  - except for tests',
  '  If you must, ask.',
])('a condition is one in any form: %s', condition => {
  expect(constraintsOfFile('K', `- DO NOT touch \`x/**\`\n${condition}\n`)).toEqual([])
})

test('other words after a line change nothing of it', () => {
  expect(constraintsOfFile('K', 'DO NOT touch `x/**`\n\n(Unless asked.)\n')).toHaveLength(1)
  expect(constraintsOfFile('K', 'DO NOT touch `x/**`\nThe API is stable.\n')).toHaveLength(1)
})

test.each([
  ['package.json', true],
  ['packages/a/package.json', true],
  ['composer.json', true],
  ['src/my-package.json', false],
  ['go.mod', false],
])('%s declares dependencies that are read: %s', (path, is) => {
  expect(isManifest(path)).toBe(is)
})

const manifest = (sections: unknown) => JSON.stringify(sections)
test.each<[what: string, before: string | null, after: string | null, added: string[]]>([
  [
    'a name',
    manifest({ dependencies: { a: '1' } }),
    manifest({ dependencies: { a: '1' }, devDependencies: { b: '1' } }),
    ['b'],
  ],
  ['another version', manifest({ dependencies: { a: '1' } }), manifest({ dependencies: { a: '2' } }), []],
  ['another section', manifest({ dependencies: { a: '1' } }), manifest({ peerDependencies: { a: '1' } }), []],
  ['a new file', null, manifest({ optionalDependencies: { a: '1' } }), ['a']],
  [
    'names of Composer',
    manifest({ require: {} }),
    manifest({ require: { a: '1' }, 'require-dev': { b: '1' } }),
    ['a', 'b'],
  ],
  ['no file', manifest({ dependencies: { a: '1' } }), null, []],
  ['no JSON', null, '{', []],
  ['lists', null, manifest({ dependencies: ['a'] }), []],
])('what a manifest adds with %s', (_, before, after, added) => {
  expect([...newDependencies([{ path: 'package.json', before, after }]).values()].flat()).toEqual(added)
})

test('a dependency that moves from one package to another is not new', () => {
  const text = manifest({ dependencies: { a: '1' } })
  const moved = [
    { path: 'x/package.json', before: text, after: manifest({}) },
    { path: 'y/package.json', before: manifest({}), after: text },
  ]
  expect(newDependencies(moved)).toEqual(new Map())
})

test('what another package of the project has is not new, and neither is such a package itself', () => {
  const text = manifest({ name: 'c', dependencies: { a: '1', b: '1', c: '1', d: '1' } })
  const added = newDependencies(
    [{ path: 'c/package.json', before: null, after: text }],
    [manifest({ dependencies: { a: '1' } }), manifest({ name: 'b' })],
  )
  expect(added).toEqual(new Map([['c/package.json', ['d']]]))
})
