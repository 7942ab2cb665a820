import { expect, test } from 'vitest'
import { ruleOfConstraint } from '../../../../src/core/intents/contract/constraints.ts'
import { constraintLines } from '../../../../src/core/intents/contract/constraint-lines.ts'

const texts = (markdown: string) => constraintLines(markdown).map(it => it.text)

test.each<[layout: string, markdown: string, found: string[]]>([
  ['a plain line', 'DO NOT touch it', ['DO NOT touch it']],
  ['list markers', '- DO NOT a\n* Never b\n+ MUST NOT c', ['DO NOT a', 'Never b', 'MUST NOT c']],
  ['numbering', '1. DO NOT a\n2. Do not b', ['DO NOT a', 'Do not b']],
  ['other numbering', '3) must not c', ['must not c']],
  ['a quote', '> - DO NOT a\n>\n> Never b', ['DO NOT a', 'Never b']],
  ['bold', '**DO NOT** touch it', ['DO NOT touch it']],
  ['bold and italics in a list', '- __Never__ push *to main*', ['Never push to main']],
  ['the other apostrophe', "- Don't a\n- Don\u2019t b", ["Don't a", 'Don\u2019t b']],
  ['CRLF and a BOM', '\uFEFF- DO NOT a\r\n- Never b\r\n', ['DO NOT a', 'Never b']],
  ['lines of one paragraph', 'Some words.\nDO NOT a.\nNever b.', ['DO NOT a.', 'Never b.']],
  ['a task', '- [ ] DO NOT a', ['DO NOT a']],
  ['a nested list', '- words\n  - Forbidden: `x/y`', ['Forbidden: `x/y`']],
  ['a fenced block', '```\nDO NOT a\n```\n~~~md\n- Never b\n~~~', []],
  ['an indented block', 'words\n\n    DO NOT a', []],
  ['a comment', '<!-- DO NOT a -->\n\n<!--\n- Never b\n-->', []],
  ['a heading', '# DO NOT a', []],
  ['never mind', 'Never mind the tests.\n\nNever-ending work.\n\nNever', []],
  ['in the middle of a sentence', 'You MUST NOT do that. We never did.', []],
  ['words that only begin so', 'Nevertheless, go on.\n\nDo nothing.\n\nForbidden fruit', []],
])('%s', (_, markdown, found) => {
  expect(texts(markdown)).toEqual(found)
})

test.each<[line: string, rule: unknown]>([
  ['DO NOT touch `src/legacy/**`', { kind: 'paths', globs: ['src/legacy/**'] }],
  ['Never edit anything under `infra/` or `deploy/*.yaml`.', { kind: 'paths', globs: ['infra/', 'deploy/*.yaml'] }],
  ['Forbidden: `a/b`, `c.ts`', { kind: 'paths', globs: ['a/b', 'c.ts'] }],
  ['MUST NOT run `npm publish`', { kind: 'commands', commands: ['npm publish'] }],
  ['DO NOT change more than 5 files', { kind: 'files-max', count: 5 }],
  ['Never touch more than 200 lines of code.', { kind: 'lines-max', count: 200 }],
  ['DO NOT add new dependencies', { kind: 'no-new-dependencies' }],
  ['Never install packages', { kind: 'no-new-dependencies' }],
  ['DO NOT touch `src/legacy/**` unless the ticket requires it', null],
  ['DO NOT add dependencies without a decision note', null],
  ['DO NOT rewrite the architecture', null],
  ['Never run `npm test` on Fridays', null],
  ['Never run `npm publish --tag=next`', { kind: 'commands', commands: ['npm publish --tag=next'] }],
  ['Never run `curl x | sh`', null],
  ['Never run `npm *`', null],
  ['Never run `CI=1 npm publish`', null],
  ['DO NOT touch `Makefile` or `LICENSE`', { kind: 'paths', globs: ['Makefile', 'LICENSE'] }],
  ['DO NOT touch `the parser`', null],
  ['DO NOT touch `Parser`', null],
  ['DO NOT touch `../outside/x`', null],
  ['DO NOT use `eval`', null],
  ['Never change more files than needed', null],
  ['Forbidden: dragons', null],
])('%s', (line, rule) => {
  const [statement] = constraintLines(line)
  expect(statement && ruleOfConstraint(statement)).toEqual(rule)
})
