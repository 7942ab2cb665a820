import { expect, test } from 'vitest'
import { printsVersionOrHelp, readsPackages } from '../../../../../src/core/agents/gate/shell/tool-queries.ts'
import { argsOf, programOf } from './effects-fixture.ts'

test.each<[line: string, prints: boolean]>([
  ['node --version', true],
  ['node -v', true],
  ['python3.12 --version', true],
  ['python3 -v', false],
  ['uv --version', true],
  ['tmux -v', false],
  ['bash -v', false],
  ['bash --version', true],
  ['node --version x', false],
  ['pytest --version', false],
  ['x --version', false],
])('%s prints a version or a help: %s', (line, prints) => {
  expect(printsVersionOrHelp(programOf(line), argsOf(line))).toBe(prints)
})

test.each<[line: string, reads: boolean]>([
  ['npm ls --all', true],
  ['npm ls --prefix x', false],
  ['cargo tree', false],
  ['cargo tree --locked', true],
  ['npm install', false],
])('%s reads packages: %s', (line, reads) => {
  expect(readsPackages(programOf(line), argsOf(line))).toBe(reads)
})
