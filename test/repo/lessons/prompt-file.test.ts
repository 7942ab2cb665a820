import { expect, test } from 'vitest'
import { runCli } from '../../rig/command-line.ts'
import { fixture } from '../../rig/fixture.ts'
import { copyGoverned, hookedRepo } from '../../rig/hooked-repo.ts'
import type { Repo } from '../../rig/repo.ts'
import { verifyFindings } from '../../rig/verify-findings.ts'

/** A repository whose lessons are in CLAUDE.md, where a person has written rules. */
const template = fixture(async () => {
  const repo = await hookedRepo()
  await repo.write('CLAUDE.md', '# Rules\n\nNo new dependencies.\n')
  await repo.play(`echo 'lessons: { file: CLAUDE.md }' >>.orchestration/config.yaml; git add -A
    git commit -qm 'lessons in CLAUDE.md' -m 'Governance: for Claude Code'`)
  return repo
})

const commitWork = (repo: Repo) =>
  repo.play(`echo more >>src/a.ts; git add -A; git commit -qm work -m 'Intent-ID: INT-001'`)
const record = async (repo: Repo, text = 'Amounts are cents.') =>
  expect((await runCli(repo, 'lesson', 'add', text)).failure).toBeNull()

test('lessons in CLAUDE.md go with the work for any intent, also for verify', async () => {
  await using repo = await copyGoverned(template())
  for (const text of ['One.', 'Two.']) {
    await record(repo, text)
    expect(await commitWork(repo)).toMatchObject({ code: 0, stderr: '' })
  }
  expect(await repo.read('CLAUDE.md')).toMatch(/^# Rules\n\nNo new dependencies\.\n\n<!-- kotef:lessons:begin/)
  expect(await repo.git('show', '--name-only', '--format=', 'HEAD')).toContain('CLAUDE.md')
  expect(await verifyFindings(repo, 'HEAD~2..HEAD')).toEqual([])
  expect((await runCli(repo, 'approve', '--list')).text).not.toContain('CLAUDE.md')
  await record(repo, 'Three.')
  await repo.write('lib/x.ts', 'outside\n')
  expect((await commitWork(repo)).stderr, 'nothing else goes with them').toContain('lib/x.ts is outside')
})

test.each([
  ['another rule beside them', 'echo "Obey." >>CLAUDE.md'],
  ['a rule that is gone', 'sed -i "/No new/d" CLAUDE.md'],
  ['a line among them that kotef would write in another way', 'sed -i "s/cents/<b>cents/" CLAUDE.md'],
  ['another mode', 'chmod +x CLAUDE.md'],
  ['a link in its place', 'mv CLAUDE.md src/c.md; ln -s src/c.md CLAUDE.md'],
])('%s needs a reason, in the hook and for verify', async (_, change) => {
  await using repo = await copyGoverned(template())
  await record(repo)
  await repo.play(change)
  const { code, stderr } = await commitWork(repo)
  expect([code, stderr]).toEqual([1, expect.stringContaining('CLAUDE.md is a governance file')])
  await repo.play(`git -c core.hooksPath=/dev/null commit -qm work -m 'Intent-ID: INT-001'`)
  expect((await verifyFindings(repo, 'HEAD~1..HEAD')).join('\n')).toContain('CLAUDE.md')
})

test('where the config names the other file, a list in CLAUDE.md is a change of governance', async () => {
  await using repo = await hookedRepo()
  await repo.write('CLAUDE.md', '<!-- kotef:lessons:begin -->\n<!-- kotef:lessons:end -->\n')
  expect((await commitWork(repo)).stderr).toContain('CLAUDE.md is a governance file')
})
