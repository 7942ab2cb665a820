import { stat, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { keepLesson } from '../../../src/world/lessons/record-lesson.ts'
import type { Lesson } from '../../../src/core/lessons/lesson.ts'
import { openWorkspace } from '../../../src/world/io/worktree/workspace.ts'
import { runCli } from '../../rig/command-line.ts'
import { hookedRepo } from '../../rig/hooked-repo.ts'
import { repositoryRoot } from '../../rig/packed-kotef.ts'
import type { Repo } from '../../rig/repo.ts'

const FILE = '.orchestration/AGENT.md'
const WAITING = '.git/kotef/lessons-waiting.md'
const SUM_TEST = `import { expect, test } from 'vitest'
import { sum } from './sum.ts'
test('adds', () => {
  expect(sum(1, 2)).toBe(3)
})
`
const VITEST = 'node node_modules/vitest/vitest.mjs run src/sum.test.ts'

/** A repository whose intent INT-006 has a check. */
async function checked(command: string): Promise<Repo> {
  const repo = await hookedRepo()
  const add = await runCli(repo, 'intent', 'add', '--name', 'c', '--scope', 'src/**', '--check', command)
  expect(add.failure).toBeNull()
  return repo
}

const check = async (repo: Repo) => (await runCli(repo, 'check', 'INT-006')).exit
const listed = async (repo: Repo) =>
  (await runCli(repo, 'lesson', 'list')).json as { lessons: Lesson[]; problem: unknown; failure: unknown }

test('a run of vitest that fails and later passes is a lesson: the error, the check, and what changed', async () => {
  await using repo = await checked(VITEST)
  await symlink(join(repositoryRoot, 'node_modules'), join(repo.root, 'node_modules'))
  await repo.play('echo node_modules >>.git/info/exclude')
  await repo.write('src/sum.test.ts', SUM_TEST)
  await repo.write('src/sum.ts', 'export const sum = (a: number, b: number) => a - b\n')
  await repo.git('add', 'src')
  expect(await check(repo)).toBe(1)
  expect((await listed(repo)).lessons).toEqual([])
  await repo.write('src/sum.ts', 'export const sum = (a: number, b: number) => a + b\n')
  await repo.write('lib/x.ts', 'changed too\n')
  await repo.git('add', '--all')
  await repo.git('-c', 'core.hooksPath=/dev/null', 'commit', '-qm', 'work in between')
  expect(await check(repo)).toBe(0)
  const { lessons } = await listed(repo)
  expect(lessons).toMatchObject([{ paths: ['lib/x.ts', 'src/sum.ts'], intent: 'INT-006', by: 'check', seen: 1 }])
  expect(lessons[0]?.text).toMatch(
    /^`node node_modules\/vitest.*` failed with AssertionError at src\/sum\.test\.ts:\d+ until/,
  )
  expect(lessons[0]?.text).toMatch(/ until `lib\/x\.ts`, `src\/sum\.ts` changed\.$/)
})

test('the same failure again raises the count, and the files of kotef are not what changed', async () => {
  await using repo = await checked('grep -q good src/a.ts')
  for (const seen of [1, 2]) {
    await repo.write('src/a.ts', `bad ${seen}\n`)
    expect(await check(repo)).toBe(1)
    // A second attempt for the same reason.
    await repo.write('src/b.ts', `attempt ${seen}\n`)
    expect(await check(repo)).toBe(1)
    await repo.write('src/a.ts', `good ${seen}\n`)
    expect(await check(repo)).toBe(0)
    expect((await listed(repo)).lessons).toMatchObject([{ paths: ['src/a.ts', 'src/b.ts'], seen }])
  }
})

test('the lesson does not void the pass that it was learned with, and a failure without a change is none', async () => {
  await using repo = await checked('test -e .git/good')
  expect(await check(repo)).toBe(1)
  await repo.play('touch .git/good')
  expect(await check(repo)).toBe(0)
  expect((await listed(repo)).lessons, 'no file changed').toEqual([])

  await using other = await checked('grep -q good src/a.ts')
  expect(await check(other)).toBe(1)
  await other.write('src/a.ts', 'good\n')
  expect(await check(other)).toBe(0)
  await runCli(other, 'lesson', 'apply')
  expect(await other.git('status', '--porcelain', FILE)).toContain('AGENT.md')
  expect((await runCli(other, 'check', 'INT-006')).text).toContain('these files passed at')
})

test('while git is merging the file a lesson waits, and nothing is written into it', async () => {
  await using repo = await checked('grep -q good src/a.ts')
  expect(await check(repo)).toBe(1)
  const half = '<<<<<<< HEAD\n- mine\n=======\n- theirs\n>>>>>>> main\n'
  await repo.write(FILE, half)
  await repo.write('src/a.ts', 'good\n')
  expect(await check(repo)).toBe(0)
  expect(await listed(repo)).toMatchObject({ problem: 'conflict', failure: null, lessons: [{ waiting: true }] })
  expect((await runCli(repo, 'lesson', 'apply')).failure).toMatchObject({ code: 'lessons-unwritable' })
  expect(await repo.read(FILE)).toBe(half)
  await repo.play(`git checkout -q ${FILE}`)
  expect((await runCli(repo, 'lesson', 'apply')).text).toContain(`1 lesson written into ${FILE}.`)
  expect(await listed(repo)).toMatchObject({ problem: null, lessons: [{ seen: 1, waiting: false }] })
})

test('a check passes where no lesson can be kept, and the list says why', async () => {
  await using repo = await checked('grep -q good src/a.ts')
  expect(await check(repo)).toBe(1)
  await repo.play('mkdir .git/kotef/lessons-waiting.md')
  await repo.write('src/a.ts', 'good\n')
  expect(await check(repo)).toBe(0)
  const { text, json } = await runCli(repo, 'lesson', 'list')
  expect(text).toContain('problem  A lesson could not be written (')
  expect(json).toMatchObject({ lessons: [], failure: { why: expect.stringContaining('lessons-waiting.md') } })
})

test('the lessons that wait are within the limits, and a damaged file of them is none', async () => {
  await using repo = await checked('true')
  await repo.play('echo "lessons: { items: 5 }" >>.orchestration/config.yaml')
  const workspace = await openWorkspace(repo.root)
  const keep = (n: number) => {
    return keepLesson(workspace, { signature: null, text: `Lesson ${n}.`, paths: [], intent: null, by: 'claude/s' })
  }
  await Promise.all(Array.from({ length: 12 }, (_, n) => keep(n)))
  expect((await listed(repo)).lessons).toHaveLength(5)
  expect((await stat(join(repo.root, WAITING))).mode & 0o777).toBe(0o600)
  await repo.write(WAITING, '<!-- kotef:lessons:begin -->\n- half')
  expect((await listed(repo)).lessons).toEqual([])
  await keep(1)
  expect((await listed(repo)).lessons).toMatchObject([{ text: 'Lesson 1.', seen: 1 }])
})
