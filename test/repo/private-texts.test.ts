import { readdir, readFile, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { clearOldTexts } from '../../src/world/runs/clear-old-texts.ts'
import { removeOldCalls } from '../../src/world/runs/private-calls.ts'
import { cloneSalt } from '../../src/world/io/worktree/private-files.ts'
import { openWorkspace } from '../../src/world/io/worktree/workspace.ts'
import type { Repo } from '../rig/repo.ts'
import { answeredClaude, CHECKED_REGISTRY, selectedRepo, times } from '../rig/session-runs.ts'

const COMMAND = 'DB_PASSWORD=hunter2 npm test -- --token=hunter2 https://u:hunter2@host/x'
const OUTPUT = 'AssertionError: expected hunter2 to be 2\n    at src/a.ts:3:1\n    at hunter2.txt:4'
const CURL = 'curl -X POST -H "Authorization: Bearer hunter2" https://host/hunter2'

/** The files below some paths of a repository in which a text occurs. */
async function filesWith(repo: Repo, text: string, ...below: string[]): Promise<string[]> {
  const found: string[] = []
  for (const folder of below) {
    const entries = await readdir(join(repo.root, folder), { recursive: true, withFileTypes: true }).catch(() => [])
    for (const it of entries) {
      const path = join(it.parentPath, it.name)
      if (it.isFile() && (await readFile(path, 'utf8')).includes(text)) found.push(path.slice(repo.root.length + 1))
    }
  }
  return found.sort()
}

async function repairedTests(repo: Repo): Promise<void> {
  const agent = answeredClaude(repo)
  await repo.write('src/a.ts', 'first\n')
  await repo.git('add', 'src')
  await agent.runs(COMMAND, { exit: 1, output: OUTPUT })
  await agent.writes('src/a.ts', 'fixed\n')
  await agent.runs(COMMAND, { output: 'hunter2 ok' })
  await times(4, () => agent.runs(CURL, { output: '{"password":"hunter2"}' }))
  await agent.say('UserPromptSubmit', { prompt: 'go on' })
  await times(4, () => agent.runs('cat .env', { exit: 1, output: 'DB_PASSWORD=hunter2' }))
}

const lessons = async (repo: Repo) =>
  (JSON.parse((await repo.kotef('lesson', 'list', '--json')).stdout) as { lessons: { text: string }[] }).lessons

test('what an agent ran and what it printed is in private files alone, and `kotef runs show` prints it', async () => {
  await using repo = await selectedRepo()
  await repairedTests(repo)
  expect((await lessons(repo)).map(it => it.text)).toEqual([
    '`npm test --token` failed with AssertionError at src/a.ts:3 until `src/a.ts` changed.',
  ])
  const issues = await repo.read('.sdd/issues.md')
  expect(issues).toMatch(/- Loop: same-call: Bash: curl -X -H was called 4 times with the same result/)
  expect(issues).toMatch(/- Last test: Bash: npm test --token \(exit 0\)/)
  expect(issues).toMatch(/- Last call: Bash: cat \(exit 1, signature [\da-f]{16}\)/)
  const salt = await cloneSalt(await openWorkspace(repo.root))
  for (const secret of ['hunter2', salt])
    expect(await filesWith(repo, secret, '.git/kotef', '.sdd', '.orchestration')).toEqual([])
  expect(await filesWith(repo, 'hunter2', '.git')).toEqual(['.git/kotef-private/calls/s.jsonl'])
  const modes = ['.git/kotef-private/calls', '.git/kotef-private/calls/s.jsonl', '.git/kotef-private/salt']
  const found = await Promise.all(modes.map(async it => (await stat(join(repo.root, it))).mode & 0o777))
  expect(found).toEqual([0o700, 0o600, 0o600])
  const show = (...words: string[]) => repo.kotef('runs', 'show', 's', ...words)
  expect((await show()).stdout).toContain(`Bash, failed: ${COMMAND}`)
  expect((await show('--json')).stdout).not.toContain('hunter2')
})

test('the config makes single fields public', async () => {
  await using repo = await selectedRepo()
  await repo.write('.orchestration/config.yaml', 'public: [command-lines, error-lines]\n')
  await repairedTests(repo)
  const [lesson] = await lessons(repo)
  expect(lesson?.text).toContain(`"AssertionError: expected hunter2 to be 2" until`)
  expect(lesson?.text).toContain('DB_PASSWORD=hunter2 npm test')
  expect(await repo.read('.sdd/issues.md')).toContain('- Last command line: ')
})

test('private files go a week after the last call', async () => {
  await using repo = await selectedRepo()
  await answeredClaude(repo).runs(CURL)
  const workspace = await openWorkspace(repo.root)
  const path = join(repo.root, '.git/kotef-private/calls/s.jsonl')
  const at = Date.now()
  await utimes(path, at / 1_000, at / 1_000)
  await removeOldCalls(workspace, at + 6 * 86_400_000)
  expect((await stat(path)).isFile()).toBe(true)
  await removeOldCalls(workspace, at + 8 * 86_400_000)
  expect(await stat(path).catch(() => null)).toBeNull()
})

test('private files of a session do not grow without end', async () => {
  await using repo = await selectedRepo()
  const agent = answeredClaude(repo)
  for (let n = 0; n < 3; n++) {
    await repo.write('.git/kotef-private/calls/s.jsonl', `${'x'.repeat(200_000)}\n`)
    await agent.runs(`${CURL} ${n} ${'y'.repeat(50_000)}`, { output: 'z'.repeat(50_000) })
  }
  const names = await readdir(join(repo.root, '.git/kotef-private/calls'))
  expect(names.sort()).toEqual(['s.earlier.jsonl', 's.jsonl'])
  expect((await stat(join(repo.root, '.git/kotef-private/calls/s.jsonl'))).size).toBeLessThan(10_000)
  expect((await repo.kotef('runs', 'show', 's')).stdout).toContain(CURL)
})

const OLD_END = { status: 'aborted_stuck', rule: 'same-call', evidence: 'Bash {"command":"hunter2"} was called', at: 7 }
const OLD_LESSON =
  '- `X=hunter2 npm test` failed with "Error: hunter2" (0123456789abcdef) until `a` changed. ' +
  '<!-- id:3fa9c1d2e0 seen:1 at:2026-01-31 by:check -->\n'
const MARKERS = ['<!-- kotef:lessons:begin: x -->\n\n', '\n<!-- kotef:lessons:end -->\n'] as const
const OLD_ISSUES = `# Runs that were stopped

## 2026-11-20T10:00:00.000Z aborted_stuck

- Intent: INT-001
- Loop: "same-call: Bash {\\"command\\":\\"hunter2\\"} was called 4 times"
- Loop: same-call: hunter2 was called 4 times
- Last reason: hunter2
- Last command: hunter2
- Last result: 0 hunter2
- Report: .sdd/runs/a.md
`

test('files of an earlier version lose their texts, and a stopped run stays stopped', async () => {
  await using repo = await selectedRepo()
  const path = '.git/kotef/runs/s'
  const run = JSON.parse(await repo.read(`${path}.json`)) as { state: object }
  const state = { ...run.state, version: 1, sameCall: { key: 'hunter2' }, end: OLD_END }
  await repo.write(`${path}.json`, JSON.stringify({ ...run, version: 1, state }))
  await repo.write(`${path}.stopped`, JSON.stringify(OLD_END))
  await repo.write(
    `${path}.waiting`,
    '{"events":[{"kind":"tool","key":"hunter2"}],"files":null}\n{"recent":"hunter2"}\n',
  )
  await repo.write('.git/kotef/runs/t.json', '{"hunter2')
  await repo.write('.git/kotef/failed-checks/a.json', '{"command":"hunter2"}')
  await repo.write('.git/kotef/lessons-waiting.md', MARKERS.join(OLD_LESSON))
  await repo.write('.sdd/issues.md', OLD_ISSUES)
  await repo.write(
    '.sdd/runs/a.md',
    '# Run\n\n- Evidence: hunter2\n- Started: now\n\n## Timeline\n\n- step 1: hunter2\n',
  )
  expect(await lessons(repo), 'it is not shown').toEqual([])
  const workspace = await openWorkspace(repo.root)
  await clearOldTexts(workspace)
  expect(await filesWith(repo, 'hunter2', '.git/kotef', '.sdd', '.orchestration')).toEqual([])
  expect(await repo.read('.sdd/issues.md')).toContain('- Report: .sdd/runs/a.md')
  const agent = answeredClaude(repo)
  expect(await agent.writes('src/a.ts', 'x\n')).toContain('run-stopped')
  // Once is enough: a person may keep such a line.
  await repo.write('.sdd/issues.md', '- Last reason: mine\n')
  await clearOldTexts(workspace)
  expect(await repo.read('.sdd/issues.md')).toBe('- Last reason: mine\n')
})

test('uninit leaves none of them', async () => {
  await using repo = await selectedRepo()
  await answeredClaude(repo).runs(COMMAND, { output: OUTPUT })
  expect(await filesWith(repo, 'hunter2', '.git/kotef-private')).not.toEqual([])
  expect(await repo.kotef('uninit')).toMatchObject({ code: 0 })
  expect(await readdir(join(repo.root, '.git'))).not.toContain('kotef-private')
})

test('what an agent ran is not shown to one', async () => {
  await using repo = await selectedRepo()
  const agent = answeredClaude(repo)
  await agent.runs(COMMAND, { output: OUTPUT })
  const { stdout } = await repo.run('kotef', ['runs', 'show', 's'], { env: { KOTEF_SESSION: 's' } })
  expect(stdout).toContain('INT-001')
  expect(stdout).not.toContain('hunter2')
})

test('a run of this version is left as it is, and every old report is cleared', async () => {
  await using repo = await selectedRepo()
  const path = '.git/kotef/runs/s'
  await repo.write(`${path}.waiting`, '{"version":2,"events":[],"files":null}\n')
  const before = await repo.read(`${path}.json`)
  const names = Array.from({ length: 600 }, (_, n) => `.sdd/runs/${n}.md`)
  for (const it of names) await repo.write(it, '# Run\n\n- Evidence: hunter2\n')
  await repo.write('.sdd/issues.md', `${OLD_ISSUES}${'- Run: x\n'.repeat(200_000)}`)
  await clearOldTexts(await openWorkspace(repo.root))
  expect(await filesWith(repo, 'hunter2', '.sdd')).toEqual([])
  expect([await repo.read(`${path}.json`), await repo.read(`${path}.waiting`)]).toEqual([
    before,
    expect.stringMatching(/version/),
  ])
})

test('reports that git tracks are a person’s, and stay', async () => {
  await using repo = await selectedRepo()
  await repo.write('.sdd/issues.md', OLD_ISSUES)
  await repo.git('add', '--force', '.sdd/issues.md')
  await clearOldTexts(await openWorkspace(repo.root))
  expect(await repo.read('.sdd/issues.md')).toBe(OLD_ISSUES)
})

test('several processes make one salt', async () => {
  await using repo = await selectedRepo(CHECKED_REGISTRY)
  const workspace = await openWorkspace(repo.root)
  const salts = await Promise.all(Array.from({ length: 20 }, () => cloneSalt(workspace)))
  expect(new Set(salts).size).toBe(1)
  expect(salts[0]).toMatch(/^[\da-f]{64}$/)
})
