import { spawnSync } from 'node:child_process'
import { parse, type SyntaxNode, forEachChild } from 'unbash'
import { expect, test } from 'vitest'
import { deceivingCommands, hidingCommands, settingsRead } from '../core/agents/gate/deceiving-commands.ts'
import { deceivingForms } from '../core/agents/gate/deceiving-forms.ts'
import { mutatingCommands } from '../core/agents/gate/mutating-commands.ts'
import { mutatingGit } from '../core/agents/gate/mutating-git.ts'
import { opaqueCommands } from '../core/agents/gate/opaque-commands.ts'
import { outOfScopeCommands } from '../core/agents/gate/out-of-scope.ts'
import { dailyReading } from '../core/agents/gate/daily-reading.ts'
import { everydayReading } from '../core/agents/gate/everyday-reading.ts'
import { readingCommands } from '../core/agents/gate/reading-commands.ts'
import { governanceOffCommands } from '../core/agents/gate/governance-off.ts'
import { allowedCalls } from '../core/agents/gate/allowed-calls.ts'

const corpora = [
  ...[...readingCommands, ...everydayReading, ...dailyReading, ...allowedCalls, ...mutatingCommands, ...mutatingGit],
  ...[
    ...outOfScopeCommands,
    ...opaqueCommands,
    ...governanceOffCommands,
    ...hidingCommands,
    ...settingsRead,
    ...[...deceivingCommands, ...deceivingForms].map(([, command]) => command),
  ],
]
const commands = [...new Set(corpora.filter(it => typeof it === 'string'))]

const LINES_AT_ONCE = 40

test('bash and the parser agree about which commands of the corpora parse', () => {
  const [fine, broken] = [commands.filter(it => !hasErrors(parse(it))), commands.filter(it => hasErrors(parse(it)))]
  expect(wrongInBash(fine)).toEqual([])
  expect(broken.filter(it => parsesInBash([it]))).toEqual([])
  expect(broken.length).toBeGreaterThan(2)
})

test('a command that does not parse is found among those that do', () => {
  const broken = ['echo "a', "echo 'b", 'if x; then y', 'c |', '(d', 'e &&', 'f $(g', '}', 'h `i', 'case j in', 'k \\']
  const fine = commands.filter(it => !hasErrors(parse(it))).slice(0, 90)
  const mixed = fine.flatMap((it, n) => (n % 9 === 0 ? [it, broken[n / 9] ?? 'l ||'] : [it]))
  expect(wrongInBash(mixed).sort()).toEqual(broken.filter(it => mixed.includes(it) && it !== 'k \\').sort())
})

// Starting bash takes longer than parsing: it parses many commands at once, and one by one where one of them is wrong.
// A here-document without its end, and a backslash at the end of a line, would take the next command with them.
function wrongInBash(commands: readonly string[]): string[] {
  const isAlone = (it: string) => it.includes('<<') || it.endsWith('\\')
  const [alone, others] = [commands.filter(isAlone), commands.filter(it => !isAlone(it))]
  const wrong = alone.filter(it => !parsesInBash([it]))
  for (let at = 0; at < others.length; at += LINES_AT_ONCE) {
    const some = others.slice(at, at + LINES_AT_ONCE)
    if (!parsesInBash(some)) wrong.push(...some.filter(it => !parsesInBash([it])))
  }
  return wrong
}

// A function ends no command that goes on, and the line after it closes no quote.
function parsesInBash(commands: readonly string[]): boolean {
  const [first = '', ...more] = commands
  const text = more.length === 0 ? first : commands.map(it => `f() {\n:\n${it}\n}\n: "a" 'b'\n`).join('')
  return spawnSync('bash', ['-O', 'extglob', '-n'], { input: text, stdio: ['pipe', 'ignore', 'ignore'] }).status === 0
}

function hasErrors(node: SyntaxNode): boolean {
  let found = node.type === 'Script' && (node.errors?.length ?? 0) > 0
  forEachChild(node, child => {
    found ||= hasErrors(child)
  })
  return found
}
