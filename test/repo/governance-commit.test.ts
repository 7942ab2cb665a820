import { describe, expect, test } from 'vitest'
import { runCli } from '../rig/command-line.ts'
import { fixture } from '../rig/fixture.ts'
import { hookedRepo, runCliOrThrow } from '../rig/hooked-repo.ts'
import { ledgerEvents } from '../rig/ledger-events.ts'
import { type Repo, temporaryRepo } from '../rig/repo.ts'

const REGISTRY = '.orchestration/active_intents.yaml'

const lastMessage = async (repo: Repo) => (await repo.git('log', '-1', '--format=%B')).trim()
const status = (repo: Repo) => repo.git('status', '--porcelain')

describe('--commit', () => {
  test('makes the governance commit of an added intent at once, through the hooks', async () => {
    await using repo = await hookedRepo()
    await repo.write('src/a.ts', 'mine\n')
    const { text } = await runCli(repo, 'intent', 'add', '--name', 'cookies', '--scope', 'lib/**', '--commit')
    expect(text).toContain('Committed the registry: add INT-006')
    expect(await lastMessage(repo)).toBe('add INT-006\n\nGovernance: add INT-006')
    expect(await status(repo)).toBe(' M src/a.ts\n')
  })

  test('of a widened scope is one command (solo A17)', async () => {
    await using repo = await hookedRepo()
    await runCli(repo, 'intent', 'edit', 'INT-001', '--add-scope', 'lib/**', '--commit')
    await repo.write('lib/x.ts', 'mine\n')
    await repo.git('commit', '-qam', 'lib')
    expect(await lastMessage(repo)).toBe('lib\n\nIntent-ID: INT-001')
  })

  test('takes the reason into the trailer, and leaves what is staged', async () => {
    await using repo = await hookedRepo()
    await repo.write('src/a.ts', 'mine\n')
    await repo.git('add', 'src/a.ts')
    await runCli(repo, 'intent', 'block', 'INT-001', '--reason', 'waits for the key', '--commit')
    expect(await lastMessage(repo)).toBe('block INT-001\n\nGovernance: waits for the key')
    expect(await status(repo)).toBe('M  src/a.ts\n')
  })

  test.each([
    ['in the list', false],
    ['in a file of its own', true],
  ])('says what git said when git does not commit, and leaves everything as it was: %s', async (_, isTeam) => {
    await using repo = await hookedRepo()
    if (isTeam) await runCliOrThrow(repo, 'intent', 'split', '--commit')
    await repo.run('sh', ['-c', "printf '#!/bin/sh\\necho not today >&2; exit 1\\n' >.git/hooks/commit-msg"])
    const state = async () => [await status(repo), (await runCli(repo, 'intent', 'list', '--json')).json]
    const before = await state()
    for (const words of [
      ['add', '--name', 'x'],
      ['edit', 'INT-001', '--add-scope', 'lib/**'],
      ['abandon', 'INT-002', '--reason', 'r'],
    ]) {
      const { failure } = await runCli(repo, 'intent', ...words, '--commit')
      expect(failure?.code).toBe('git-failed')
      expect(failure?.message).toMatch(/which is as it was before:\n.*not today/s)
      expect(await state()).toEqual(before)
    }
    // `git checkout .` writes what the index has.
    await repo.git('checkout', '--', '.')
    expect(await state()).toEqual(before)
  })

  test('before the adoption commit says how to adopt kotef', async () => {
    await using repo = await temporaryRepo({ [REGISTRY]: 'active_intents: []\n' })
    await repo.git('reset', '-q', '--soft', await repo.git('commit-tree', '-m', 'x', await emptyTree(repo)).then(trim))
    await repo.git('rm', '-q', '--cached', REGISTRY)
    const { failure } = await runCli(repo, 'intent', 'add', '--name', 'x', '--commit')
    expect(failure).toMatchObject({ code: 'usage', hint: expect.stringContaining('Governance: adopt kotef') })
  })
})

// For what is refused.
const resting = fixture(() => hookedRepo())

describe('a completed intent', () => {
  const completed = async () => {
    const repo = await hookedRepo()
    await runCli(repo, 'intent', 'complete', 'INT-001', '--attest', '--commit')
    return repo
  }

  test('says how to commit the registry (solo A15)', async () => {
    await using repo = await hookedRepo()
    const { text } = await runCli(repo, 'intent', 'complete', 'INT-001', '--attest')
    expect(text).toContain(`git commit -m "complete INT-001" -m "Governance: complete INT-001" ${REGISTRY}`)
  })

  test('is opened again for a reason, and takes commits (solo A15)', async () => {
    await using repo = await completed()
    const { text } = await runCli(repo, 'intent', 'reopen', 'INT-001', '--reason', 'fails on CRLF', '--commit')
    expect(text).toBe('INT-001 is open again: work\n  Committed the registry: reopen INT-001')
    expect(await lastMessage(repo)).toBe('reopen INT-001\n\nGovernance: fails on CRLF')
    expect(await ledgerEvents(repo)).toContainEqual(
      expect.objectContaining({ event: 'transition', from: 'COMPLETED', to: 'IN_PROGRESS', reason: 'fails on CRLF' }),
    )
    await runCli(repo, 'intent', 'start', 'INT-001')
    await repo.write('src/a.ts', 'mine\n')
    await repo.git('commit', '-qam', 'again')
    expect(await lastMessage(repo)).toBe('again\n\nIntent-ID: INT-001')
  })

  test.each([
    { args: ['INT-004'], code: 'usage' },
    { args: ['INT-005', '--reason', 'why'], code: 'illegal-transition' },
    { args: ['INT-002', '--reason', 'why'], code: 'illegal-transition' },
    { args: ['INT-404', '--reason', 'why'], code: 'unknown-intent' },
  ])('reopen $args is refused: $code', async ({ args, code }) => {
    expect((await runCli(resting(), 'intent', 'reopen', ...args)).failure?.code).toBe(code)
    expect(await status(resting())).toBe('')
  })
})

describe('the work on an intent', () => {
  test('dirties no tracked file, and outlives a switch and a stash (solo A6, team A2)', async () => {
    await using repo = await hookedRepo({ start: null })
    await runCli(repo, 'intent', 'start', 'INT-001')
    expect(await status(repo)).toBe('')
    await repo.git('switch', '-qc', 'other')
    await repo.write('src/a.ts', 'mine\n')
    await repo.git('stash')
    await repo.git('stash', 'pop')
    expect((await runCli(repo, 'status', '--json')).json).toMatchObject({ intent: { status: 'IN_PROGRESS' } })
    await repo.git('commit', '-qam', 'work')
    expect(await lastMessage(repo)).toBe('work\n\nIntent-ID: INT-001')
  })

  test('shows as IN_PROGRESS while a claim holds it, or a commit cites it', async () => {
    await using repo = await hookedRepo({ start: null })
    const shown = async () => (await runCli(repo, 'intent', 'show', 'INT-001')).json
    expect(await shown()).toMatchObject({ intent: { status: 'PENDING' } })
    await runCli(repo, 'intent', 'start', 'INT-001')
    expect(await shown()).toMatchObject({ intent: { status: 'IN_PROGRESS' } })
    await runCli(repo, 'session', 'end')
    expect(await shown()).toMatchObject({ intent: { status: 'PENDING' } })
    await repo.write('src/a.ts', 'mine\n')
    await repo.git('commit', '-qam', 'work', '-m', 'Intent-ID: INT-001')
    expect(await shown()).toMatchObject({ intent: { status: 'IN_PROGRESS' } })
  })

  test('of an intent that is not committed says so at its start (solo A12)', async () => {
    await using repo = await hookedRepo()
    await runCli(repo, 'intent', 'add', '--name', 'x', '--scope', 'lib/**')
    const { text } = await runCli(repo, 'intent', 'start', 'INT-006')
    expect(text).toContain('Commit the registry with `git commit -m "add INT-006"')
    expect((await runCli(repo, 'intent', 'start', 'INT-001')).text).not.toContain('Commit the registry')
  })
})

test('the registry in its own form has live statuses, and the file has none', async () => {
  await using repo = await hookedRepo()
  const { text } = await runCli(repo, 'intent', 'list', '--format', 'yaml')
  expect(text.split('\n')[2]).toBe('  - { id: INT-001, name: work, status: IN_PROGRESS, owned_scope: ["src/**"] }')
  expect(text.split('\n')[3]).toBe('  - { id: INT-002, name: docs, status: PENDING, owned_scope: ["docs/**"] }')
})

test('a registry of an earlier kotef loses its live statuses with the first verb that writes', async () => {
  await using repo = await hookedRepo()
  expect(await repo.read(REGISTRY)).toContain('id: INT-001, name: work, status: IN_PROGRESS')
  await runCli(repo, 'intent', 'add', '--name', 'x')
  expect(await repo.read(REGISTRY)).not.toContain('status: IN_PROGRESS')
})

async function emptyTree(repo: Repo): Promise<string> {
  return trim(await repo.git('hash-object', '-wt', 'tree', '/dev/null'))
}

function trim(text: string): string {
  return text.trim()
}
