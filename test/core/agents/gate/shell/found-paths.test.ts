import { expect, test } from 'vitest'
import { withFoundPaths } from '../../../../../src/core/agents/gate/shell/found-paths.ts'
import { readShell } from '../../../../../src/core/agents/gate/shell/read-shell.ts'

test.each([
  ["find . -name '*.ts' -print0 | xargs -0 sed -n 1p", "find . -name '*.ts' -exec sed -n 1p {} +"],
  ['ls; find src -print0 | xargs -0 -n1 file 2>/dev/null | head', 'ls; find src -exec file {} + 2>/dev/null | head'],
  ['find . -print0 2>/dev/null | xargs -0r wc -l', 'find . -exec wc -l {} + 2>/dev/null'],
  ['find . -print0 >a 2>b | xargs -0 wc -l >c 2>&1 | cat', 'find . -exec wc -l {} + >a 2>b >c 2>&1 | cat'],
])('%s stands for %s', (line, result) => {
  expect(withFoundPaths(line)).toBe(result)
})

test.each([
  // A name with a space may end in an option.
  'find . | xargs sed -n 1p',
  'find . -print0 | xargs sed -n 1p',
  // The place of the path, or an end
  'find . -print0 | xargs -0 sed -n p {} + -i',
  'find . -print0 | xargs -0 sed -n p \\; -i',
  // More is printed than the paths.
  "find . -printf '-i\\0' -print0 | xargs -0 sed -n p",
  'find . -ls -print0 | xargs -0 file',
  'find "$x" -print0 | xargs -0 file',
  'find -- -print0 | xargs -0 file',
  'x=1 find . -print0 | xargs -0 file',
  'ls -print0 | xargs -0 file',
  // The names come from somewhere else.
  'find . -print0 | xargs -0 sed -n p <names',
  'find . -print0 | xargs -0 sed -n p 0<names',
  'find . -print0 | xargs -0 sed -n p 0>&3',
  "find . -print0 | xargs -0 sed -n p <<<'-i'",
  'find . -print0 | xargs >a -0 file',
  'find . -print0 | >a xargs -0 file',
  'find . -print0 | xargs -0 >a file',
])('%s stays', line => {
  expect(withFoundPaths(line)).toBe(line)
})

test.each([
  ["find . -name '*.ts' -print0 | xargs -0 sed -n 1p", 'read'],
  ['find . -print0 | xargs -0 file', 'read'],
  ["find . -name '*.ts' -print0 | xargs -0 sed -i p", 'opaque'],
  ['find . -print0 | xargs -0 rm', 'opaque'],
  ['find . -print0 | xargs -0', 'read'],
  ['find * -print0 | xargs -0 file', 'opaque'],
  ['find . -delete -print0 | xargs -0 file', 'opaque'],
])('%s: %s', (line, kind) => {
  expect(readShell(line).kind).toBe(kind)
})

test.each([
  [
    'find . -name zzz -print0 > .orchestration/active_intents.yaml | xargs -0 sort',
    ['.orchestration/active_intents.yaml'],
  ],
  ['find . -print0 > .git/hooks/pre-commit | xargs -0 sort', ['.git/hooks/pre-commit']],
  ['find . -print0 >> src/a.ts | xargs -0 rg foo', ['src/a.ts']],
  ['find . -print0 2> err.txt | xargs -0 sed -n 1p', ['err.txt']],
  ['find . > a.txt -print0 | xargs -0 sed -n 1p', ['a.txt']],
  ['>a.txt find . -print0 | xargs -0 sed -n 1p', ['a.txt']],
  ['cd src && find . -print0 >a | xargs -0 sed -n 1p 2>b', ['src/a', 'src/b']],
  ['find . -print0 2>/dev/null | xargs -0 file', []],
])('%s writes %j', (line, paths) => {
  const { kind, targets } = readShell(line)
  expect(kind).toBe(paths.length === 0 ? 'read' : 'opaque')
  expect(targets.map(it => it.path)).toEqual(paths)
})
