import { expect, test } from 'vitest'
import { withFileLoop, withoutCounters } from '../../../../../src/core/agents/gate/shell/counters.ts'

test.each<[line: string, result: string]>([
  ['i=0; i=$((i+1))', 'i=0; i=$((1))'],
  ['i=0; while [ $i -lt 3 ]; do i=$((i + 1)); done', 'i=0; while [ 1 -lt 3 ]; do i=$((1)); done'],
  ['i=0\nn=2\necho $((i*n))', 'i=0\nn=2\necho $((1))'],
  ['for ((i=0; i<3; i++)); do echo $i; done', 'for ((1; 1; 1)); do echo $i; done'],
])('%j is read as %j', (line, result) => {
  expect(withoutCounters(line)).toBe(result)
})

test.each([
  'i=$((i+1))',
  'i=x; i=$((i+1))',
  'echo; i=0; i=$((i+1))',
  "i=0; i='a[$(touch x)]'; i=$((i+1))",
  'i=0; read -r i; i=$((i+1))',
  'i=0; for i in x; do echo $((i)); done',
  'i=0; echo $((i+n))',
  'i=0; echo $((a[i]))',
  'i=0; echo $((i+$(touch x)))',
  'i=0; ((i>f))',
  'i=09; echo $((i+1))',
  'i=0; i=08; echo $((i+1))',
  'i=0; echo $((i**-1))',
  'i=0; echo ${i:=x} $((i))',
  'PATH=0; echo $((PATH))',
  'i=0; read -ai <<<x; i=$((i+1))',
  "i=0; read $'\\x69' <<<x; i=$((i+1))",
  "i=0; r'e'ad i <<<x; i=$((i+1))",
  'i=0; mapfile "i"; i=$((i+1))',
  'i=0; read -r "i" <<<x; i=$((i+1))',
])('%j stays', line => {
  expect(withoutCounters(line)).toBe(line)
})

test.each<[line: string, result: string]>([
  ['for f in a src/*.ts; do sed -n 1p "$f"; done', 'for f in a src/*.ts; do sed -n 1p ./"$f"; done'],
  ['for f in a b; do [ -f "$f" ] && sort "${f}"; done', 'for f in a b; do [ -f ./"$f" ] && sort ./"$f"; done'],
])('%j is read as %j', (line, result) => {
  expect(withFileLoop(line)).toBe(result)
})

test.each([
  'for f in *.ts; do sed -n 1p "$f"; done',
  'for f in a -i; do sed -n p "$f"; done',
  'for f in "$@"; do sed -n p "$f"; done',
  'for f in a; do f=-i; sed -n p "$f"; done',
  'for f in a; do read -r f; sed -n p "$f"; done',
  'for f in a; do read -raf; sed -n p "$f"; done',
  'false && for f in a; do :; done; sed -n p "$f"',
  'for f in a; do sed -n p "${f/a/-i}"; done',
  'for f in a; do sed -n p $f; done',
])('%j stays', line => {
  expect(withFileLoop(line)).toBe(line)
})

test('a line with very many counters stays as it is', () => {
  const line = `${Array.from({ length: 60 }, (_, i) => `i${i}=0; `).join('')}echo $((i1))`
  expect(withoutCounters(line)).toBe(line)
})
