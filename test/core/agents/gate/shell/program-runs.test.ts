import { parse } from 'unbash'
import { expect, test } from 'vitest'
import { programRuns } from '../../../../../src/core/agents/gate/shell/program-runs.ts'

const runsOf = (line: string) => programRuns(parse(line)).map(run => run.map(it => it ?? '?').join(' '))

test.each([
  ['a b; c && d | e', ['a b', 'c', 'd', 'e']],
  ['X=1 /usr/bin/a "b c"', ['a b c']],
  ['env X=1 timeout 9 a b', ['env X=1 timeout 9 a b', 'timeout 9 a b', 'a b']],
  ["sh -c 'a && b'", ['sh -c a && b', 'a', 'b']],
  ['sh -c "$X"', ['sh -c ?']],
  ['bash -e x/a.sh b; . ./a.sh', ['bash -e x/a.sh b', 'a.sh b', '. ./a.sh', 'a.sh']],
  ['a $(b c) "`d`"', ['a ? ?', 'b c', 'd']],
  ['if a; then b; fi; for i in 1; do c $i; done', ['a', 'b', 'c ?']],
  ['npx -y a@2 b', ['npx -y a@2 b', 'a b']],
  ['npx @x/a@2 b', ['npx @x/a@2 b', 'a b']],
  ['npx -p a b c', ['npx -p a b c', 'b c']],
  ["npx -p a -c 'b c'", ['npx -p a -c b c', 'b c']],
  ['npm exec -- a b', ['npm exec -- a b', 'a b']],
  ['pnpm dlx a', ['pnpm dlx a', 'a']],
  ['npx', ['npx']],
  ['npm run a', ['npm run a']],
  ['find . -exec a {} \\;', ['find . -exec a {} ;', 'a ?']],
  ['$X a', []],
])('%s runs %j', (line, runs) => {
  expect(runsOf(line)).toEqual(runs)
})
