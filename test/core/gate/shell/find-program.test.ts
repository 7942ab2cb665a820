import { expect, test } from 'vitest'
import { readShell } from '../../../../src/gate/shell/read-shell.ts'

test.each<[line: string, kind: string]>([
  ['find . -exec cat {} +', 'read'],
  ['find . -name x -exec grep -l y {} \\; -print', 'read'],
  ["find . -exec sed -n '1,5p' {} \\;", 'read'],
  ['find . -exec bash -c \'cat "$1"\' _ {} \\;', 'read'],
  ['find "$PWD" -exec ls {} +', 'read'],
  ['find . -exec rm {} +', 'opaque'],
  ['find . -exec sed -i p {} +', 'opaque'],
  ['find . -exec uniq {} +', 'opaque'],
  ['find . -exec xxd {} +', 'opaque'],
  ['find . -exec xxd {} \\;', 'read'],
  ["find . -exec sh -c 'cat {}' \\;", 'opaque'],
  ['find . -exec {} \\;', 'opaque'],
  ['find . -exec cat {} \\; -delete', 'opaque'],
  ['find . -exec cat "$x" "$y" rm {} \\;', 'opaque'],
  ['find . -execdir sed -n p {} \\;', 'opaque'],
  ['find "$x" -exec cat {} \\;', 'opaque'],
  ['find . -exec cat {}', 'opaque'],
])('%s: %s', (line, kind) => {
  expect(readShell(line).kind).toBe(kind)
})
