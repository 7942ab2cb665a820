import { mkdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  unhookedRepo,
  claudeSession,
  writeCredits,
  CLAUDE_MODEL,
  personSession,
  sendHook,
  ledgerRecords,
} from '../rig/agent-hooks.ts'
import { startWatching } from '../rig/governed-repo.ts'
import type { Repo } from '../rig/repo.ts'
import { temporaryRepo } from '../rig/repo.ts'
import { runCliOrThrow } from '../rig/hooked-repo.ts'

const NOBODY: AsyncDisposable = { [Symbol.asyncDispose]: async () => {} }

describe.each<[watcher: string, watch: (repo: Repo) => Promise<AsyncDisposable>]>([
  ['under a daemon', startWatching],
  ['where nobody watches', async () => NOBODY],
])('%s', (watcher, watch) => {
  const isWatched = watcher === 'under a daemon'
  /** Has everything recorded that was written until now. */
  const settle = (repo: Repo) =>
    isWatched ? runCliOrThrow(repo, 'flush') : sendHook(repo, 'generic', { event: 'exec-end', session: 'x' })

  test('what Claude writes is claimed with its session and model; what a person writes meanwhile is not', async () => {
    await using repo = await unhookedRepo()
    await using _daemon = await watch(repo)
    const claude = claudeSession(repo, 's-1')
    await claude.say('SessionStart', { source: 'startup', model: 'claude-x' })
    await claude.willWrite('src/a')
    await Promise.all([repo.write('src/a', 'by Claude\n'), repo.write('src/b', 'by hand\n')])
    await claude.hasWritten('src/a')
    const person = await personSession(repo)
    expect((await writeCredits(repo)).sort()).toEqual([
      `src/a claimed s-1 ${CLAUDE_MODEL} INT-001`,
      `src/b person ${person} - INT-001`,
    ])
  })

  test('what changes while Claude runs a command came through it, whatever the command did', async () => {
    await using repo = await unhookedRepo()
    await using _daemon = await watch(repo)
    const claude = claudeSession(repo, 's-1', { model: 'claude-x' })
    await repo.write('src/before', 'by hand\n')
    await claude.willRun('make')
    await repo.play('cp -p src/old src/copied; mv src/old src/moved; mv src/dir src/other; rm src/gone')
    await repo.play('echo 1 > src/made; echo 1 > src/staged; git add src/staged')
    await claude.hasRun('make')
    await repo.write('src/after', 'by hand\n')
    await settle(repo)
    const person = await personSession(repo)
    expect((await writeCredits(repo)).filter(it => !/before/.test(it)).sort()).toEqual([
      `src/after person ${person} - INT-001`,
      ...['copied', 'gone', 'made', 'moved', 'other/in', 'staged'].map(
        it => `src/${it} window s-1 ${CLAUDE_MODEL} INT-001`,
      ),
    ])
    expect((await writeCredits(repo)).filter(it => /before/.test(it) && !/person/.test(it))).toEqual([])
  })

  test('an edit by hand just before the agent writes to the same file stays an edit by hand', async () => {
    await using repo = await unhookedRepo()
    await using _daemon = await watch(repo)
    await settle(repo)
    const claude = claudeSession(repo, 's-1', { model: 'claude-x' })
    await repo.write('src/old', 'old\nby hand\n')
    await claude.willWrite('src/old')
    await repo.write('src/old', 'old\nby hand\nby Claude\n')
    await claude.hasWritten('src/old')
    const person = await personSession(repo)
    const ranges = (await ledgerRecords(repo)).flatMap(it =>
      it.files.flatMap(file => file.conversations[0]?.ranges ?? []),
    )
    expect(await writeCredits(repo)).toEqual([
      `src/old person ${person} - INT-001`,
      `src/old claimed s-1 ${CLAUDE_MODEL} INT-001`,
    ])
    expect(ranges.map(it => [it.start_line, it.end_line])).toEqual([
      [2, 2],
      [3, 3],
    ])
  })

  test('of two sessions at once, each is credited with its own; what both may have done is nobody’s', async () => {
    await using repo = await unhookedRepo()
    await using _daemon = await watch(repo)
    const [one, two] = [
      claudeSession(repo, 's-1', { model: 'claude-x' }),
      claudeSession(repo, 's-2', { model: 'other/y' }),
    ]
    await Promise.all([one.willWrite('src/a'), two.willWrite('src/b')])
    await Promise.all([repo.write('src/a', 'a\n'), repo.write('src/b', 'b\n')])
    await Promise.all([one.hasWritten('src/a'), two.hasWritten('src/b')])
    await Promise.all([one.willRun('x'), two.willRun('y')])
    await repo.write('src/both', 'c\n')
    await Promise.all([one.hasRun('x'), two.hasRun('y')])
    expect((await writeCredits(repo)).sort()).toEqual([
      `src/a claimed s-1 ${CLAUDE_MODEL} INT-001`,
      'src/b claimed s-2 other/y INT-001',
      'src/both unknown - - INT-001',
    ])
  })

  test('a session that ends takes its open windows with it, and what it did until then is its own', async () => {
    await using repo = await unhookedRepo()
    await using _daemon = await watch(repo)
    const claude = claudeSession(repo, 's-1', { model: 'claude-x' })
    await claude.willRun('make')
    await repo.write('src/a', 'a\n')
    await claude.say('SessionEnd', { reason: 'exit' })
    await repo.write('src/b', 'b\n')
    await settle(repo)
    const person = await personSession(repo)
    expect(await writeCredits(repo)).toEqual([
      `src/a window s-1 ${CLAUDE_MODEL} INT-001`,
      `src/b person ${person} - INT-001`,
    ])
    expect((await repo.run('ls', ['.git/kotef/windows'])).stdout).toBe('')
  })

  test('of a call that a person refused no end is told; what is written after the turn is not its', async () => {
    await using repo = await unhookedRepo()
    await using _daemon = await watch(repo)
    const claude = claudeSession(repo, 's-1')
    await claude.willRun('refused')
    await claude.say('Stop')
    await repo.write('src/a', 'by hand\n')
    await settle(repo)
    expect(await writeCredits(repo)).toEqual([`src/a person ${await personSession(repo)} - INT-001`])
  })

  test('what an agent in the background does goes on being its own when the main one has stopped', async () => {
    await using repo = await unhookedRepo()
    await using _daemon = await watch(repo)
    const [claude, below] = [
      claudeSession(repo, 's-1'),
      claudeSession(repo, 's-1', { agent_id: 'sub', model: 'claude-x' }),
    ]
    await below.willRun('make')
    await claude.willRun('refused')
    await claude.say('Stop', { background_tasks: [{ id: 'sub', type: 'subagent', status: 'running' }] })
    await repo.write('src/a', 'a\n')
    await below.hasRun('make')
    await below.willRun('make more')
    await claude.say('UserPromptSubmit', { prompt: '<task-notification>\n<task-id>other</task-id>' })
    await repo.write('src/b', 'b\n')
    await claude.say('Stop', { background_tasks: [] })
    await repo.write('src/c', 'c\n')
    await settle(repo)
    const person = `src/c person ${await personSession(repo)} - INT-001`
    expect(await writeCredits(repo)).toEqual([
      `src/a window s-1 ${CLAUDE_MODEL} INT-001`,
      `src/b window s-1 ${CLAUDE_MODEL} INT-001`,
      person,
    ])
  })

  test('any other agent says what it does in a form of kotef’s own', async () => {
    await using repo = await unhookedRepo()
    await using _daemon = await watch(repo)
    const say = (payload: object) =>
      sendHook(repo, 'generic', { session: 'g', agent: 'aider', model: 'v/m', ...payload })
    await say({ event: 'write-start', path: 'src/a' })
    await repo.write('src/a', 'a\n')
    await say({ event: 'write', path: 'src/a' })
    await say({ event: 'exec-start', call: '7' })
    await repo.write('src/b', 'b\n')
    await say({ event: 'exec-end', call: '7' })
    expect(await writeCredits(repo)).toEqual(['src/a claimed g v/m INT-001', 'src/b window g v/m INT-001'])
  })

  test('who is only told of the end can claim it, when it says what stood there before', async () => {
    await using repo = await unhookedRepo()
    await using _daemon = await watch(repo)
    await settle(repo)
    await repo.write('src/old', 'old\nby Claude\n')
    await claudeSession(repo, 's-1', { model: 'claude-x' }).hasWritten('src/old', { originalFile: 'old\n' })
    expect(await writeCredits(repo)).toEqual([`src/old late s-1 ${CLAUDE_MODEL} INT-001`])
  })

  test('who claims a write outside of the intent broke the rule; a person who wrote there did not', async () => {
    await using repo = await unhookedRepo()
    await using _daemon = await watch(repo)
    await settle(repo)
    const flagged = async () =>
      (await ledgerRecords(repo))
        .map(it => it.metadata['dev.kotef'])
        .flatMap(it => (it.event === 'violation' && it.rule === 'in-scope' ? [it.message] : []))
    const claude = claudeSession(repo, 's-1')
    await claude.willWrite('src/a')
    await repo.write('lib/x', 'by Claude\n')
    await settle(repo)
    expect(await flagged()).toEqual([])
    await claude.hasWritten('lib/x', { originalFile: null })
    expect(await flagged()).toEqual(['lib/x is outside intent INT-001'])
  })

  test('what the agent found there already is not its write', async () => {
    await using repo = await unhookedRepo()
    await using _daemon = await watch(repo)
    await settle(repo)
    await repo.write('src/old', 'old\nby hand\n')
    await claudeSession(repo, 's-1').hasWritten('src/old', { originalFile: 'old\nby hand\n' })
    expect(await writeCredits(repo)).toEqual([`src/old person ${await personSession(repo)} - INT-001`])
  })
})

test('the model of a session that nobody named is looked up in its conversation', async () => {
  await using repo = await unhookedRepo()
  await using _daemon = await startWatching(repo)
  const spoken = (model: string) => `${JSON.stringify({ type: 'assistant', message: { model, content: [] } })}\n`
  await repo.write('../transcript.jsonl', [spoken('claude-a'), spoken('claude-x'), spoken('<synthetic>')].join(''))
  const claude = claudeSession(repo, 's-1')
  await claude.willWrite('src/a')
  await repo.write('src/a', 'a\n')
  await claude.hasWritten('src/a')
  expect(await writeCredits(repo)).toEqual([`src/a claimed s-1 ${CLAUDE_MODEL} INT-001`])
})

test('a path is a file wherever links lead; what is no file of this worktree is not claimed', async () => {
  await using repo = await unhookedRepo()
  await using _daemon = await startWatching(repo)
  await symlink('src', join(repo.root, 'linked'))
  await mkdir(join(repo.base, 'outside'))
  await symlink('../outside', join(repo.root, 'out'))
  await runCliOrThrow(repo, 'flush')
  const claude = claudeSession(repo, 's-1', { model: 'claude-x' })
  for (const path of ['out/x', '../outside/y', '.git/z'])
    await sendHook(repo, 'generic', { event: 'write-start', session: 's-1', path })
  expect((await repo.run('ls', ['.git/kotef/windows'])).stdout).toBe('')
  await claude.willWrite('linked/a')
  await repo.write('src/a', 'a\n')
  await claude.hasWritten('linked/a')
  await sendHook(repo, 'generic', { event: 'write-start', session: 'g', cwd: join(repo.root, 'src'), path: 'b' })
  await repo.write('src/b', 'b\n')
  await sendHook(repo, 'generic', { event: 'write', session: 'g', cwd: join(repo.root, 'src'), path: 'b' })
  expect((await writeCredits(repo)).filter(it => it.startsWith('src/'))).toEqual([
    `src/a claimed s-1 ${CLAUDE_MODEL} INT-001`,
    'src/b claimed g - INT-001',
  ])
})

test('where there is nothing to record in, the hook does nothing', async () => {
  await using repo = await temporaryRepo()
  const payload = { event: 'write', session: 'g', path: 'a' }
  await repo.write('a', 'a\n')
  await sendHook(repo, 'generic', payload)
  await sendHook(repo, 'generic', { ...payload, cwd: repo.base })
  await sendHook(repo, 'generic', { ...payload, cwd: join(repo.base, 'nowhere') })
  expect(await repo.git('status', '--short', '--ignored')).toBe('?? a\n')
  expect((await repo.run('ls', ['.git/kotef'])).code).not.toBe(0)
})
