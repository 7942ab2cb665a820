import { statSync } from 'node:fs'
import { readdir, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { claudeSession, writeCredits, spawnAgentHook, sendHook, ledgerRecords } from '../rig/agent-hooks.ts'
import { governedRepo, startWatching } from '../rig/governed-repo.ts'
import { packedKotef } from '../rig/packed-kotef.ts'
import { type Repo, temporaryRepo } from '../rig/repo.ts'
import { runCliOrThrow } from '../rig/hooked-repo.ts'

const WINDOWS = '.git/kotef/windows'

test.each<[what: string, agent: string, input: string | Buffer, why: RegExp]>([
  ['20 KB of garbage', 'claude', Buffer.alloc(20_000, 'planted-secret \x1b[2J\xff"{'), /not a JSON object/],
  ['nothing at all', 'claude', '', /not a JSON object/],
  ['half a payload', 'claude', '{"session_id":"planted-secret","hook_ev', /not a JSON object/],
  ['an agent that kotef does not know', 'planted-agent', '{}', /only claude, codex, gemini/],
  ['a payload without its path', 'generic', '{"session":"s","event":"write"}', /no path/],
])('%s stops the agent, with why on stderr; where nobody governs, it does nothing', async (_, agent, input, why) => {
  await using repo = await governedRepo()
  const { code, stdout, stderr } = await spawnAgentHook(repo, agent, input)
  expect(code).toBe(2)
  expect(stderr).toMatch(why)
  expect(stdout + stderr).not.toContain('planted')
  await using other = await temporaryRepo()
  expect(await spawnAgentHook(other, agent, input)).toMatchObject({ code: 0, stdout: '', stderr: '' })
})

test('nothing of what a payload holds is kept but who does what to which file', async () => {
  await using repo = await governedRepo({ 'src/old': 'old\n' })
  await using _daemon = await startWatching(repo)
  const secret = { content: 'planted-secret', command: 'planted-secret', prompt: 'planted-secret' }
  const claude = claudeSession(repo, 's-1', { ...secret, tool_input_extra: secret })
  const written = { tool_name: 'Write', tool_input: { file_path: join(repo.root, 'src/a'), ...secret } }
  await claude.say('SessionStart', { model: 'claude-x' })
  await claude.willRun('echo planted-secret')
  await claude.hasRun('echo planted-secret')
  await claude.say('PreToolUse', { ...written, tool_use_id: '1' })
  await repo.write('src/a', 'a\n')
  await claude.say('PostToolUse', { ...written, tool_use_id: '1', tool_response: { originalFile: 'planted-secret' } })
  await repo.write('src/old', 'older\n')
  await claude.hasWritten('src/old', { originalFile: 'old\n', content: 'planted-secret' })
  await claude.willWrite('src/open')
  const { code, stdout } = await repo.run('grep', ['-rl', 'planted-secret', '.orchestration', '.git/kotef'])
  expect([code, stdout]).toEqual([1, ''])
  expect((await ledgerRecords(repo)).length).toBeGreaterThan(2)
})

test('a window is for its owner alone, and its name is no path that a session or a call could choose', async () => {
  await using repo = await governedRepo()
  await using _daemon = await startWatching(repo)
  await sendHook(repo, 'generic', { event: 'exec-start', session: '../../../out', call: '/etc/pass.wd' })
  const [name = '', ...others] = await readdir(join(repo.root, WINDOWS))
  expect([name, others]).toEqual([expect.stringMatching(/^[\da-z_]+\.[\da-z_]+\.json$/), []])
  expect((await stat(join(repo.root, WINDOWS, name))).mode & 0o777).toBe(0o600)
})

/** Makes the windows as old as if nobody had told of an end. */
async function age(repo: Repo, ms: number): Promise<void> {
  for (const name of await readdir(join(repo.root, WINDOWS))) {
    const path = join(WINDOWS, name)
    const window = JSON.parse(await repo.read(path)) as { openedAt: number }
    await repo.write(path, JSON.stringify({ ...window, openedAt: window.openedAt - ms }))
    const then = (window.openedAt - ms) / 1_000
    await utimes(join(repo.root, path), then, then)
  }
}

test('a window whose end was lost claims nothing after its time, and whoever sees it takes it away', async () => {
  await using repo = await governedRepo()
  await using _daemon = await startWatching(repo)
  const claude = claudeSession(repo, 's-1')
  await claude.willRun('lost')
  await age(repo, 3_700_000)
  await repo.write('src/a', 'by hand\n')
  await runCliOrThrow(repo, 'flush')
  expect(await writeCredits(repo)).toEqual([expect.stringMatching(/^src\/a person /)])
  expect(await readdir(join(repo.root, WINDOWS))).toEqual([])
})

test('a window that nobody can read is no window', async () => {
  await using repo = await governedRepo()
  await using _daemon = await startWatching(repo)
  await repo.write(join(WINDOWS, `${'0'.repeat(16)}-${'0'.repeat(16)}.json`), '{"kind":"exec","openedAt":0}')
  await repo.write(join(WINDOWS, `${'1'.repeat(16)}-${'0'.repeat(16)}.json`), 'null')
  await repo.write('src/a', 'by hand\n')
  await runCliOrThrow(repo, 'flush')
  expect(await writeCredits(repo)).toEqual([expect.stringMatching(/^src\/a person /)])
})

test('an agent with a session of kotef’s own works for the intent of that session, in its scope or not', async () => {
  await using repo = await governedRepo({}, { agent: 'aider' })
  await using _daemon = await startWatching(repo)
  const [session = ''] = (await readdir(join(repo.root, '.git/kotef/sessions'))).map(it => it.replace('.json', ''))
  await sendHook(repo, 'generic', { event: 'write-start', session, agent: 'aider', path: 'elsewhere' })
  await repo.write('elsewhere', 'a\n')
  await sendHook(repo, 'generic', { event: 'write', session, agent: 'aider', path: 'elsewhere' })
  expect(await writeCredits(repo)).toEqual([`elsewhere claimed ${session} - INT-001`])
  const broken = (await ledgerRecords(repo)).map(it => it.metadata['dev.kotef']).filter(it => it.event === 'violation')
  expect(broken).toMatchObject([{ rule: 'in-scope', path: 'elsewhere', intent: 'INT-001' }])
})

test('a hook that asks for leave loads one file, and another one only for a command', async () => {
  await using repo = await governedRepo()
  await using _daemon = await startWatching(repo)
  await claudeSession(repo, 's').willRun('true')
  const loadedFor = async (tool: string, input: object) => {
    await rm(join(repo.base, 'loaded'), { recursive: true, force: true })
    const payload = { session_id: 's', hook_event_name: 'PreToolUse', tool_name: tool, tool_input: input }
    const env = { NODE_V8_COVERAGE: join(repo.base, 'loaded') }
    await repo.run('kotef', ['agent-hook', 'claude'], { input: JSON.stringify(payload), env })
    return (await repo.play('grep -oh "dist/[A-Za-z.-]*" ../loaded/* | sort -u')).stdout.split('\n').slice(0, -1)
  }
  const always = ['dist/agent-hook.cjs', 'dist/main.cjs']
  expect(await loadedFor('Read', { file_path: 'src/a' })).toEqual(always)
  expect(await loadedFor('Write', { file_path: 'src/a' })).toEqual(always)
  expect(await loadedFor('Bash', { command: 'ls' })).toEqual([...always, 'dist/read-shell.cjs'])
  const sizeOf = (name: string): number => statSync(join(packedKotef().root, 'dist', name)).size
  expect(sizeOf('agent-hook.cjs')).toBeLessThan(150_000)
  // With YAML and schemas it would be three times as large.
  expect(sizeOf('light-line.cjs')).toBeLessThan(300_000)
})

test('what a patient daemon has not recorded yet is recorded before an agent may write there', async () => {
  await using repo = await governedRepo({ 'src/old': 'old\n' })
  await repo.write('.orchestration/config.yaml', 'watch: { settle_ms: 800 }\n')
  await using _daemon = await startWatching(repo)
  const claude = claudeSession(repo, 's-1')
  await repo.write('src/old', 'old\nby hand\n')
  await claude.willWrite('src/old')
  await repo.write('src/old', 'old\nby hand\nby Claude\n')
  await claude.hasWritten('src/old')
  const credits = (await writeCredits(repo)).filter(it => it.startsWith('src/'))
  expect(credits.map(it => it.split(' ')[1])).toEqual(['person', 'claimed'])
})

test('many hooks at once, and a daemon that comes meanwhile, record each write once', async () => {
  await using repo = await governedRepo()
  await sendHook(repo, 'generic', { event: 'exec-start', session: 'g' })
  const paths = Array.from({ length: 20 }, (_, n) => `src/${n}`)
  for (const path of paths) await repo.write(path, `${path}\n`)
  const hooks = ['a', 'b', 'c'].map(session =>
    spawnAgentHook(repo, 'generic', JSON.stringify({ event: 'exec-start', session })),
  )
  await using daemon = repo.start('kotef-watch')
  await Promise.all([...hooks, daemon.line(/kotef is watching/)])
  await sendHook(repo, 'generic', { event: 'exec-end', session: 'g' })
  expect((await writeCredits(repo)).sort()).toEqual(paths.map(it => `${it} window g - INT-001`).sort())
  expect((await repo.kotef('trace', 'verify')).code).toBe(0)
})

test('what a hook has recorded the next daemon knows', async () => {
  await using repo = await governedRepo({ 'src/old': 'old\n' })
  const claude = claudeSession(repo, 's-1')
  await claude.willWrite('src/old')
  await repo.write('src/old', 'old\n1\n')
  await claude.hasWritten('src/old')
  await using _daemon = await startWatching(repo)
  await repo.write('src/old', 'old\n1\n2\n')
  await runCliOrThrow(repo, 'flush')
  const ranges = (await ledgerRecords(repo)).flatMap(it =>
    it.files.flatMap(file => file.conversations[0]?.ranges ?? []),
  )
  expect(ranges.map(it => [it.start_line, it.end_line])).toEqual([
    [2, 2],
    [3, 3],
  ])
})
