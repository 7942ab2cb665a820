import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { POLICY_FILES } from '../../src/core/base/governance-files.ts'
import { fixture } from '../rig/fixture.ts'
import { copyGoverned, hookedRepo } from '../rig/hooked-repo.ts'
import type { Repo } from '../rig/repo.ts'

const template = fixture(hookedRepo)

/** A module that logs which files a program opens and which git it starts. */
const LOGGER = `
const fs = require('fs'), processes = require('child_process'), log = process.env.CALLS
const write = fs.appendFileSync
const note = (prefix, call) => (name, ...more) => {
  write(log, prefix + [name, ...more.filter(Array.isArray).flat()].join(' ') + '\\n')
  return call(name, ...more)
}
fs.openSync = note('open ', fs.openSync)
fs.promises.open = note('open ', fs.promises.open)
processes.spawn = note('start ', processes.spawn)
`

/** A tool call of Claude Code: the commands of git that it ran, and how often each of the policy's files was opened. */
async function callTool(repo: Repo) {
  const at = (name: string): string => join(repo.base, name)
  const tool = { tool_name: 'Write', tool_input: { file_path: `${repo.root}/src/a.ts`, content: 'x' } }
  const payload = { session_id: 's1', cwd: repo.root, hook_event_name: 'PreToolUse', ...tool }
  await writeFile(at('logger.cjs'), LOGGER)
  await writeFile(at('calls'), '')
  const env = { NODE_OPTIONS: `--require ${at('logger.cjs')}`, CALLS: at('calls') }
  const { stdout } = await repo.run('kotef', ['agent-hook', 'claude'], { env, input: JSON.stringify(payload) })
  const lines = (await readFile(at('calls'), 'utf8')).split('\n')
  const opens = POLICY_FILES.map(it => lines.filter(line => line === `open ${join(repo.root, it)}`).length)
  const git = lines.filter(it => it.startsWith('start git ')).map(it => QUESTION.exec(it)?.[1] ?? it)
  return { stdout, git, opens }
}

const QUESTION = / ((?:ls|cat|rev|hash|show|log|diff)-?[a-z]*)(?: |$)/

test('a tool call after an edit of the policy reads each of its files twice, and asks git twice', async () => {
  await using repo = await copyGoverned(template())
  // The first call at a commit asks git where it is.
  await callTool(repo)
  const before = await callTool(repo)
  expect(before).toMatchObject({ git: [], opens: [1, 1, 1, 1] })
  await repo.play("echo '# x' >>.orchestration/config.yaml")
  // Once for what it is judged by, and once for the proof that nothing has changed while it was compiled.
  expect(await callTool(repo)).toEqual({ ...before, git: ['cat-file', 'ls-files'], opens: [2, 2, 2, 2] })
  // It is compiled: the next call reads as little as the first.
  expect(await callTool(repo)).toEqual(before)
})
