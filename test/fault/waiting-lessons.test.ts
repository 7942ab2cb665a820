import { expect, test } from 'vitest'
import { disk } from '../../src/world/io/files/files.ts'
import { carryLessons, takeBackLessons } from '../../src/world/lessons/carry-lessons.ts'
import { keepLesson } from '../../src/world/lessons/record-lesson.ts'
import { readLessonsFile } from '../../src/core/lessons/lessons-file.ts'
import { openWorkspace } from '../../src/world/io/worktree/workspace.ts'
import { brittleFiles } from '../rig/brittle-files.ts'
import { fixture } from '../rig/fixture.ts'
import { copyGoverned, hookedRepo } from '../rig/hooked-repo.ts'
import type { Repo } from '../rig/repo.ts'
import { selectOrThrow } from '../rig/selection.ts'
import { systemClock } from '../../src/world/io/process/clock.ts'

const REGISTRY = 'version: 1\nactive_intents: [{ id: INT-001, name: w, status: PENDING, owned_scope: ["src/**"] }]\n'

/** A repository in which a lesson waits for the commit that an agent is going to make. */
const template = fixture(async () => {
  const repo = await hookedRepo({ registry: REGISTRY, start: null })
  await selectOrThrow(repo, { clock: systemClock })
  await keepLesson(await openWorkspace(repo.root), draft('One.'))
  await repo.play('echo more >>src/a.ts; git add src')
  return repo
})

function draft(text: string) {
  return { signature: null, text, paths: [], intent: 'INT-001', by: 'claude/s' }
}

/** Commits: what is left in the tree, and the lessons of HEAD, each with its count. */
async function commit(repo: Repo) {
  const { stdout } = await repo.play(
    'git commit -qm work >../said; git status --porcelain; echo; git show HEAD:.orchestration/AGENT.md',
  )
  const end = stdout.indexOf('\n')
  const { lessons } = readLessonsFile(Buffer.from(stdout.slice(end + 1)))
  return { tree: stdout.slice(0, end), lessons: lessons.map(it => [it.text, it.seen] as const) }
}

test.each([
  ['takes a lesson with it', carryLessons],
  ['gives it back', takeBackLessons],
])('wherever the process dies that %s, the next commit has it once and leaves the tree clean', async (_, act) => {
  for (let failing = 1; ; failing++) {
    await using repo = await copyGoverned(template())
    if (act === takeBackLessons) await carryLessons(await openWorkspace(repo.root), repo.env())
    const files = brittleFiles(disk, { failing, dead: true })
    await act(await openWorkspace(repo.root, { files }), repo.env()).then(
      () => {},
      () => {},
    )
    expect(await commit(repo), `call ${failing}`).toEqual({ tree: '', lessons: [['One.', 1]] })
    if (!files.hasFailed()) return
  }
})

test('wherever the process dies that keeps a lesson, those before it wait', async () => {
  for (let failing = 1; ; failing++) {
    await using repo = await copyGoverned(template())
    const files = brittleFiles(disk, { failing, dead: true })
    await keepLesson(await openWorkspace(repo.root, { files }), draft('Two.')).catch(() => {})
    const { lessons } = await commit(repo)
    expect(
      lessons.map(([text]) => text),
      `call ${failing}`,
    ).toContain('One.')
    if (!files.hasFailed()) return
  }
})
