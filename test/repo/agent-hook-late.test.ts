import { join } from 'node:path'
import { expect, test } from 'vitest'
import { unhookedRepo, claudeSession, writeCredits, CLAUDE_MODEL, personSession, sendHook } from '../rig/agent-hooks.ts'
import { flushedWrites, startWatching } from '../rig/governed-repo.ts'

test('under a daemon the end alone is a claim, and the trace shows whose the write is after all', async () => {
  await using repo = await unhookedRepo()
  await using _daemon = await startWatching(repo)
  await repo.write('src/a', 'a\n')
  await claudeSession(repo, 's-1', { model: 'claude-x' }).hasWritten('src/a')
  await claudeSession(repo, 's-2').hasWritten('src/a')
  expect(await writeCredits(repo)).toEqual([`src/a late s-1 ${CLAUDE_MODEL} INT-001`])
  const { stdout } = await repo.kotef('trace', '--file', 'src/a')
  expect(stdout.replace(/^\S+ +/gm, '')).toBe(
    'create    src/a  +1 -0  INT-001, ai\nclaimed   src/a by claude, anthropic/claude-x\n',
  )
})

test('what is claimed late is the agent’s in the blame as well, before it is committed and after', async () => {
  await using repo = await unhookedRepo()
  await using _daemon = await startWatching(repo)
  await repo.write('src/old', 'old\nby Claude, who signs this line\n')
  await claudeSession(repo, 'a b/ü', { model: 'claude-x' }).hasWritten('src/old')
  const authors = async () => {
    const { stdout } = await repo.kotef('blame', '--json', 'src/old')
    const { lines } = JSON.parse(stdout) as { lines: { session: string; contributor: object; intent: string }[] }
    return lines.slice(1).map(({ session, contributor, intent }) => ({ session, contributor, intent }))
  }
  const claude = { session: 'a b/ü', contributor: { type: 'ai', model_id: CLAUDE_MODEL }, intent: 'INT-001' }
  expect(await authors()).toEqual([claude])
  await repo.git('commit', '--quiet', '--all', '-m', 'by Claude')
  expect(await authors()).toEqual([claude])
})

test('where nobody watches, the end alone tells nothing of when the write began', async () => {
  await using repo = await unhookedRepo()
  await sendHook(repo, 'generic', { event: 'exec-start', session: 'g' })
  await sendHook(repo, 'generic', { event: 'exec-end', session: 'g' })
  await repo.write('src/a', 'a\n')
  await sendHook(repo, 'generic', { event: 'write', session: 'g', path: 'src/a' })
  expect(await writeCredits(repo)).toEqual([`src/a person ${await personSession(repo)} - INT-001`])
})

test('a failed write claims nothing that it was not seen to begin', async () => {
  await using repo = await unhookedRepo()
  await using _daemon = await startWatching(repo)
  await repo.write('src/a', 'by hand\n')
  const failed = { tool_name: 'Write', tool_input: { file_path: join(repo.root, 'src/a') }, tool_use_id: 'x' }
  await claudeSession(repo, 's-1').say('PostToolUseFailure', failed)
  expect(await writeCredits(repo)).toEqual([`src/a person ${await personSession(repo)} - INT-001`])
})

test('where nobody watches, blame records what it finds, and shows no more or less than before (solo B3)', async () => {
  await using repo = await unhookedRepo()
  const claude = claudeSession(repo, 's-1', { model: 'claude-x' })
  await claude.willWrite('src/new')
  await repo.write('src/new', 'const one = "by Claude"\nconst two = "by Claude as well"\n')
  await claude.hasWritten('src/new')
  await repo.write('src/new', 'const one = "by Claude"\nconst two = "and by hand"\n')
  const sessions = async () => {
    const { stdout } = await repo.kotef('blame', '--json', 'src/new')
    return (JSON.parse(stdout) as { lines: { session: string }[] }).lines.map(it => it.session)
  }
  const shown = await sessions()
  expect(shown).toEqual(['s-1', await personSession(repo)])
  await claude.willRun('ls')
  expect(await sessions()).toEqual(shown)
  const { stdout } = await repo.kotef('why', 'src/new:2')
  expect(stdout).toMatch(/^author +human \(person\)$/m)
  expect((await repo.kotef('why', 'src/new:3')).stderr).toContain("src/new can't be blamed")
})

const MINE = 'old\nby s-2\n'

type Reported = Parameters<ReturnType<typeof claudeSession>['hasWritten']>[1]

const AGAIN: readonly [what: string, old: Reported, report: Reported, is: string][] = [
  ['that shows nothing, a second time', undefined, undefined, 'window s-1'],
  ['that shows the content before an older edit', { originalFile: 'old\n' }, { originalFile: 'old\n' }, 'window s-1'],
  ['of other content', { content: 'old\nby s-2\n' }, { content: 'old\nby s-2\n' }, 'window s-1'],
  ['of a start that is right and an end that is not', undefined, { originalFile: MINE, content: 'x\n' }, 'window s-1'],
  ['of that content', undefined, { originalFile: MINE, content: 'old\nby s-2\nnext\n' }, 'late s-2'],
]

test.each(AGAIN)('what another one’s command wrote over an own edit: a report %s', async (_, old, report, is) => {
  await using repo = await unhookedRepo()
  await using _daemon = await startWatching(repo)
  const [one, other] = [claudeSession(repo, 's-1'), claudeSession(repo, 's-2')]
  await repo.write('src/old', MINE)
  await other.hasWritten('src/old', old)
  await one.willRun('make all')
  await repo.write('src/old', `${MINE}next\n`)
  await flushedWrites(repo)
  await other.hasWritten('src/old', report)
  await one.hasRun('make all')
  const credits = (await writeCredits(repo)).map(it => it.split(' ').slice(1, 3).join(' '))
  expect(credits).toEqual(['late s-2', is])
})

test('a report of content that a person has replaced since claims nothing', async () => {
  await using repo = await unhookedRepo()
  await using _daemon = await startWatching(repo)
  await repo.write('src/old', 'by hand\n')
  await claudeSession(repo, 's-1').hasWritten('src/old', { originalFile: 'old\n', content: MINE })
  expect(await writeCredits(repo)).toEqual([`src/old person ${await personSession(repo)} - INT-001`])
})
