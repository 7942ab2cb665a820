import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { recordLesson } from '../../../src/world/lessons/record-lesson.ts'
import { lessonLine } from '../../../src/core/lessons/lesson-line.ts'
import { lessonOf } from '../../../src/core/lessons/lesson.ts'
import { readLessonsFile, withLessons } from '../../../src/core/lessons/lessons-file.ts'
import { openWorkspace } from '../../../src/world/io/worktree/workspace.ts'
import { runCli } from '../../rig/command-line.ts'
import { flushedRecords, flushedWrites, governedRepo, startWatching } from '../../rig/governed-repo.ts'
import { hookedRepo } from '../../rig/hooked-repo.ts'
import { type Repo, temporaryRepo } from '../../rig/repo.ts'
import { verifyFindings } from '../../rig/verify-findings.ts'

const FILE = '.orchestration/AGENT.md'
const texts = async (repo: Repo) => {
  const { json } = await runCli(repo, 'lesson', 'list')
  return (json as { lessons: { text: string }[] }).lessons.map(it => it.text).sort()
}

test('a lesson is added, added again, listed and dropped, and the text of persons stays byte for byte', async () => {
  await using repo = await hookedRepo()
  const mine = '# Lessons\r\n\r\n- by hand\r\nno end'
  await repo.write(FILE, mine)
  const added = await runCli(repo, 'lesson', 'add', 'Amounts are cents.', '--path', 'src/**')
  expect(added.text).toMatch(/^Lesson [\da-f]{10} is recorded: Amounts are cents\.$/)
  expect((await runCli(repo, 'lesson', 'add', 'amounts are CENTS')).text).toContain(
    'is recorded again, 2 times by now: Amounts',
  )
  expect((await runCli(repo, 'lesson', 'add', 'Of the docs', '--intent', 'INT-002')).failure).toBeNull()
  expect((await repo.read(FILE)).startsWith(mine)).toBe(true)
  const { text, json } = await runCli(repo, 'lesson', 'list')
  expect(text).toMatch(
    /^[\da-f]{10} {2}Amounts are cents\.\n {2}2 times, last on \d{4}-\d\d-\d\d, by person, src\/\*\*\n/,
  )
  expect(json).toMatchObject({ file: FILE, problem: null, failure: null })
  const of = (json as { lessons: { id: string; text: string }[] }).lessons
  expect(of.find(it => it.text === 'Of the docs')).toMatchObject({ intent: 'INT-002', paths: ['docs/**'] })
  for (const { id } of of) expect((await runCli(repo, 'lesson', 'drop', id.slice(0, 8))).failure).toBeNull()
  expect((await runCli(repo, 'lesson', 'list')).text).toContain('No lessons yet.')
  expect((await repo.read(FILE)).startsWith(mine)).toBe(true)
})

test.each([
  [['add', ' \n '], 'usage', 'has no text'],
  [['add', 'x', '--path', '../x'], 'usage', 'a glob without `..`'],
  [['add', 'x', '--intent', 'INT-404'], 'unknown-intent', 'INT-404'],
  [['drop', 'ffff'], 'unknown-lesson', 'ffff'],
])('kotef lesson %j is refused', async (words, code, message) => {
  await using repo = await hookedRepo()
  const before = await repo.read(FILE)
  const { failure } = await runCli(repo, 'lesson', ...words)
  expect(failure).toMatchObject({ code, message: expect.stringContaining(message) })
  expect(await repo.read(FILE)).toBe(before)
})

test('in a repository without kotef nothing is recorded', async () => {
  await using repo = await temporaryRepo({ 'a.ts': 'a\n' })
  expect((await runCli(repo, 'lesson', 'add', 'x')).failure).toMatchObject({ code: 'registry-missing' })
  expect(await repo.git('status', '--porcelain')).toBe('')
})

test('nothing is written while git is merging the file, without a marker, or through a link', async () => {
  await using repo = await hookedRepo()
  const add = async () => (await runCli(repo, 'lesson', 'add', 'x')).failure
  await repo.play(`
    git checkout -qb other; echo "- theirs" >>${FILE}; git -c core.hooksPath=/dev/null commit -qam theirs
    git checkout -q main; echo "- mine" >>${FILE}; git -c core.hooksPath=/dev/null commit -qam mine
    git -c core.hooksPath=/dev/null merge -q other; echo "# settled, and not added" >${FILE}`)
  expect(await add()).toMatchObject({ code: 'lessons-unwritable', message: expect.stringContaining('conflict') })
  expect(await repo.read(FILE)).toBe('# settled, and not added\n')
  await repo.git('add', FILE)
  expect(await add()).toBeNull()
  await repo.write(FILE, '<!-- kotef:lessons:begin -->\n')
  expect(await add()).toMatchObject({ code: 'lessons-unwritable', message: expect.stringContaining('markers') })
  await repo.play(`rm ${FILE}`)
  await symlink(join(repo.root, 'docs/b.md'), join(repo.root, FILE))
  expect(await add()).toMatchObject({ code: 'lessons-unwritable', message: expect.stringContaining('regular file') })
  expect(await repo.read('docs/b.md')).toBe('b\n')
})

test('a lesson whose files are all gone is not listed, and goes with the next write', async () => {
  await using repo = await hookedRepo()
  await runCli(repo, 'lesson', 'add', 'Of one file.', '--path', 'src/b.ts')
  await runCli(repo, 'lesson', 'add', 'Of a folder.', '--path', 'docs/**', '--path', 'src/b.ts')
  await runCli(repo, 'lesson', 'add', 'Of nothing yet.', '--path', 'later/x.ts')
  await repo.play('rm src/b.ts')
  expect(await texts(repo)).toEqual(['Of a folder.', 'Of nothing yet.'])
  expect(await repo.read(FILE)).toContain('Of one file.')
  await runCli(repo, 'lesson', 'add', 'Another.')
  expect(await repo.read(FILE)).not.toContain('Of one file.')
  expect(await texts(repo)).toEqual(['Another.', 'Of a folder.', 'Of nothing yet.'])
  // Once its file was there, it goes with it.
  await repo.write('later/x.ts', 'x\n')
  await runCli(repo, 'lesson', 'add', 'Another.')
  await repo.play('rm later/x.ts')
  expect(await texts(repo)).toEqual(['Another.', 'Of a folder.'])
})

test('ten thousand lessons in the file become as many as the config allows', async () => {
  await using repo = await hookedRepo()
  const many = Array.from({ length: 10_000 }, (_, n) => {
    return lessonOf({ signature: null, text: `Lesson ${n}.`, paths: [], intent: null, by: 'p' }, '2026-01-31')
  }).filter(it => it !== null)
  await repo.write(FILE, withLessons(Buffer.from('# Mine\n'), many))
  await repo.play('echo "lessons: { items: 40, bytes: 4096 }" >>.orchestration/config.yaml')
  const { failure } = await runCli(repo, 'lesson', 'add', 'The new one.')
  expect(failure).toBeNull()
  const { lessons } = readLessonsFile(Buffer.from(await repo.read(FILE)))
  expect(lessons.map(it => it.text)).toContain('The new one.')
  expect(lessons.length).toBeLessThanOrEqual(40)
  expect(Buffer.byteLength(lessons.map(it => `${lessonLine(it)}\n`).join(''))).toBeLessThanOrEqual(4_096)
})

test('writers at the same moment lose no lesson of each other', async () => {
  await using repo = await hookedRepo()
  const workspace = await openWorkspace(repo.root)
  const draft = (n: number) => ({ signature: null, text: `Lesson ${n}.`, paths: [], intent: null, by: 'person' })
  await Promise.all(Array.from({ length: 12 }, (_, n) => recordLesson(workspace, draft(n))))
  expect(await texts(repo)).toHaveLength(12)
})

test('two branches that each add lessons merge without a conflict', async () => {
  await using repo = await hookedRepo()
  const workspace = await openWorkspace(repo.root)
  const commit = () => repo.git('-c', 'core.hooksPath=/dev/null', 'commit', '-qam', 'lessons')
  const record = (text: string) => recordLesson(workspace, { signature: null, text, paths: [], intent: null, by: 'p' })
  for (let n = 0; n < 30; n++) await record(`Known ${n}.`)
  await commit()
  await repo.git('checkout', '-qb', 'other')
  await record('Learned there.')
  await commit()
  await repo.git('checkout', '-q', 'main')
  await record('Learned here too.')
  await commit()
  await repo.git('-c', 'core.hooksPath=/dev/null', 'merge', '-q', 'other', '-m', 'both')
  expect(await texts(repo)).toHaveLength(32)
})

test('lines of the list need no author for verify --require-trace, and lines beside it do', async () => {
  await using repo = await hookedRepo()
  await runCli(repo, 'lesson', 'add', 'One.')
  await repo.play(`git add -A; git commit -qm lesson -m 'Intent-ID: INT-001'`)
  expect(await verifyFindings(repo, 'HEAD~1..HEAD', '--require-trace')).toEqual([])
  await repo.play(`echo '- by hand' >>${FILE}; git commit -qam mine -m 'Intent-ID: INT-001'`)
  expect(await verifyFindings(repo, 'HEAD~1..HEAD', '--require-trace')).toEqual([
    `block untraced-lines ${FILE} in mine`,
  ])
})

test('the daemon records no write of a lesson, and the ledger has no gap around it', async () => {
  await using repo = await governedRepo()
  await using _daemon = await startWatching(repo)
  await repo.write(FILE, '# Mine\n')
  await flushedRecords(repo)
  for (const text of ['One.', 'Two.']) {
    expect((await runCli(repo, 'lesson', 'add', text)).failure).toBeNull()
    expect(await flushedWrites(repo)).toHaveLength(1)
  }
  await repo.write(FILE, `${await repo.read(FILE)}- more\n`)
  expect((await flushedWrites(repo)).map(it => it.files.map(of => of.path))).toEqual([[FILE], [FILE]])
  expect((await runCli(repo, 'trace', 'verify')).text).toMatch(/^Ledger OK: \d+ records\.$/)
})

test('lines that kotef wrote itself are its own in stats, report and trace, a line beside them is not', async () => {
  await using repo = await hookedRepo()
  await runCli(repo, 'lesson', 'add', 'One.')
  await repo.play(`echo 'const x = 1' >>src/a.ts; echo '<!-- mine -->' >>${FILE}; git add -A
    git commit -qm lesson -m 'Intent-ID: INT-001'`)
  await runCli(repo, 'map')
  await repo.play(`git commit -qam map -m 'Intent-ID: INT-001'`)
  expect(await verifyFindings(repo, 'HEAD~1..HEAD', '--require-trace')).toEqual([])
  const { json: stats } = await runCli(repo, 'stats', 'HEAD~2..HEAD')
  const { json: report } = await runCli(repo, 'report', 'HEAD~2..HEAD', '--format', 'json')
  const added = Number((await repo.git('diff', '--numstat', 'HEAD~2', FILE)).split('\t')[0])
  const ofMap = Number((await repo.git('diff', '--numstat', 'HEAD~1')).split('\t')[0])
  expect(ofMap).toBeGreaterThan(0)
  const own = added - 1 + ofMap
  expect(stats).toMatchObject({ lines: own + 2, types: { kotef: own, unknown: 2 } })
  expect(report).toMatchObject({ lines: { added: own + 2, own, untraced: { unknown: 0, withoutNote: 2 } } })
  const { text } = await runCli(repo, 'trace', '--commit', 'HEAD~1')
  expect(text).toMatch(/INT-001 {2}kotef itself\n +\d+-\d+ {2}INT-001 {2}unknown/)
})
