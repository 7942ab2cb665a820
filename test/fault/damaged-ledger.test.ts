import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { gitIn } from '../../src/world/io/git/git.ts'
import { verifyChain } from '../rig/ledger-events.ts'
import { readLedger } from '../../src/core/ledger/read-ledger.ts'
import { readChainHead, appendRecords } from '../../src/world/ledger/append-records.ts'
import { layoutOf } from '../../src/world/io/worktree/layout.ts'
import type { Workspace } from '../../src/world/io/worktree/workspace.ts'
import { memoryFiles } from '../rig/brittle-files.ts'
import { manualClock } from '../rig/manual-clock.ts'

const memory = memoryFiles()
// The disk is in memory, but a lock is always a real file.
const gitDir = mkdtempSync(join(tmpdir(), 'kotef-'))
const workspace: Workspace = {
  root: gitDir,
  gitDir,
  commonDir: gitDir,
  git: gitIn('/'),
  files: memory,
  clock: manualClock(),
}
const { ledger, own } = layoutOf(workspace)
const WANTED = ['INT-1', 'INT-2', 'INT-3', 'INT-4']
let whole = ''
let head = ''

afterAll(() => rmSync(gitDir, { recursive: true }))

const start = (intent: string) =>
  appendRecords(workspace, [{ event: { event: 'session-started', session: 's', intent } }], { head: null })

beforeAll(async () => {
  for (const intent of WANTED) await start(intent)
  whole = memory.text(ledger)
  head = memory.text(join(own, 'head.json'))
})

const reported = () => {
  const { entries, problems } = readLedger(memory.text(ledger))
  const intents = entries.map(it => (it.record.metadata['dev.kotef'] as { intent?: string }).intent)
  return { intents, problems: problems.map(it => `${it.line} ${it.expected}`), entries }
}

type Damage = readonly [what: string, damage: (lines: readonly string[]) => string, problems: readonly string[]]
const A_RECORD = 'a ledger record'
const joined = (lines: readonly string[]) => `${lines.join('\n')}\n`

const DAMAGES: readonly Damage[] = [
  ['no damage', joined, []],
  ['a garbage line at the start', lines => joined(['garbage', ...lines]), [`1 ${A_RECORD}`]],
  ['a garbage line in the middle', lines => joined(lines.toSpliced(2, 0, '{"id":')), [`3 ${A_RECORD}`]],
  ['a garbage line at the end', lines => joined([...lines, '\0\0\0']), [`5 ${A_RECORD}`]],
  ['garbage without a newline at the end', lines => `${joined(lines)}garbage`, [`5 ${A_RECORD}`]],
  ['an empty line', lines => joined(lines.toSpliced(1, 0, '')), [`2 ${A_RECORD}`]],
  ['no last newline', lines => joined(lines).slice(0, -1), []],
  ['CRLF', lines => joined(lines.map(it => `${it}\r`)), [1, 2, 3, 4].map(n => `${n} a line that ends with LF`)],
  ['CRLF at the end alone', lines => joined(lines.with(3, `${lines[3]}\r`)), ['4 a line that ends with LF']],
  ['half a CRLF', lines => joined(lines).replace(/\n$/, '\r'), ['4 a line that ends with LF']],
  ['an id for the second time', lines => joined(lines.toSpliced(1, 0, lines[0]!)), ['2 an id of its own']],
  ['the last id for the second time', lines => joined([...lines, lines[3]!]), ['5 an id of its own']],
]

test.each(DAMAGES)('%s is reported, costs no record, and appending goes on', async (_, damage, problems) => {
  for (const remembered of [head, '']) {
    memory.overwrite(ledger, damage(whole.trimEnd().split('\n')))
    await memory.put(join(own, 'head.json'), remembered || '{')
    expect(reported()).toMatchObject({ intents: WANTED, problems })
    await start('INT-8')
    await start('INT-9')
    const after = reported()
    expect(after).toMatchObject({ intents: [...WANTED, 'INT-8', 'INT-9'], problems })
    if (remembered) expect(verifyChain(after.entries, await readChainHead(workspace))).toEqual([])
  }
})
