import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { fixture } from '../../rig/fixture.ts'
import { fastPathNotes } from '../../../src/world/setup/doctor/basic-checks.ts'
import { openWorkspace } from '../../../src/world/io/worktree/workspace.ts'
import { runCli } from '../../rig/command-line.ts'
import { doctorLines } from '../../rig/doctor-repo.ts'
import { compileRepo, copyGoverned, hookedRepo, runInit } from '../../rig/hooked-repo.ts'
import { GIT_RUNS_CONFIGURED_HOOKS } from '../../rig/installation.ts'
import { type Repo, temporaryRepo } from '../../rig/repo.ts'

const template = fixture(hookedRepo)
const hooksInTree = fixture(inTree)

const ALWAYS = 'no hook can stop commits that skip it, by the merge button of a forge or by plumbing'

test('of a repository where all is well one note is left: what no hook can stop', async () => {
  await using repo = await copyGoverned(template())
  expect(doctorLines(repo, 'note', (await runCli(repo, 'doctor')).text)).toEqual([expect.stringContaining(ALWAYS)])
})

describe('the way that a commit takes', () => {
  const REGISTRY = '.orchestration/active_intents.yaml'
  const commit = `git -c core.hooksPath=/dev/null commit -qam w`
  test.each([
    ['nothing is started', 'rm -r .git/kotef/sessions .git/kotef/branches', 'no intent is started here'],
    [
      'two intents are in work',
      `cd .git/kotef/sessions; sed 's/INT-001/INT-002/; s/"id": "/&2/' *.json >2.json`,
      'several intents are started here: INT-001, INT-002',
    ],
    ['the intent rests', `sed -i '/INT-001/s/IN_PROGRESS/BLOCKED/' ${REGISTRY}; ${commit}`, 'INT-001 is BLOCKED'],
    ['the intent owns nothing', `sed -i '/INT-001/s/"src.*"/ /' ${REGISTRY}; ${commit}`, 'INT-001 owns nothing'],
    [
      'a pattern means something else to git',
      `sed -i '/INT-001/s/src/src{1..3}/' ${REGISTRY}; ${commit}`,
      'git may match the pattern src{1..3}/** in another way',
    ],
    [
      'the scope is edited',
      `sed -i '/INT-001/s/src/s*/' ${REGISTRY}`,
      'the scope of INT-001 is edited, and not committed',
    ],
    [
      'the disk links nothing',
      'rm .git/kotef/compiled/source-1 .git/kotef/compiled/active',
      "this disk can't make a hard link",
    ],
    ['others may write there', 'chmod 777 .git/kotef/compiled', 'others can write in <repo>/.git/kotef/compiled'],
  ])('is the longer one where %s, and it says so', async (_, commands, why) => {
    await using repo = await copyGoverned(template())
    await repo.run('sh', ['-ec', commands])
    const [note] = await fastPathNotes(await openWorkspace(repo.root), repo.env())
    const message = note?.message.replace(repo.root, '<repo>')
    expect(message).toContain(`no commit can take the fast path here: ${why}`)
  })

  test('is never called the longer one where the fast path is open', async () => {
    await using repo = await copyGoverned(template())
    expect(await compileRepo(repo)).toBe(true)
    expect(await fastPathNotes(await openWorkspace(repo.root), repo.env())).toEqual([])
  })
})

describe('with the hooks in the tree', () => {
  test('branches without them are named, with the branch that has them', async () => {
    await using repo = await copyGoverned(hooksInTree())
    await repo.run('sh', ['-c', 'for it in a b c d e f; do git branch "old-$it" HEAD~; done; git branch new'])
    const { exit, text } = await runCli(repo, 'doctor')
    expect(exit).toBe(0)
    const [note] = doctorLines(repo, 'note', text).filter(it => it.includes('branches'))
    expect(note).toMatch(/these branches have none, so nothing stops a commit there: (old-\w, ){5}… and 1 more$/)
    expect(text).toMatch(/`git switch old-\w && git merge (main|new)`/)
  })

  test('a branch that has only some of them is named as well', async () => {
    await using repo = await copyGoverned(hooksInTree())
    await repo.run('sh', ['-c', 'git switch -qc half; git rm -q hooks/commit-msg; KOTEF=0 git commit -qm half'])
    await repo.git('switch', '-q', 'main')
    const { text } = await runCli(repo, 'doctor')
    expect(text).toContain('nothing stops a commit there: half\n       Merge them: `git switch half && git merge main`')
  })

  test('before they are committed it says that nobody else has them', async () => {
    await using repo = await copyGoverned(hooksInTree())
    await repo.git('update-ref', 'HEAD', 'HEAD~')
    expect(doctorLines(repo, 'note', (await runCli(repo, 'doctor')).text).join('\n')).toContain(
      'no branch has them yet',
    )
  })

  test('where every branch has them there is nothing to say', async () => {
    await using repo = await copyGoverned(hooksInTree())
    expect((await runCli(repo, 'doctor')).text).not.toContain('the hook files are in the tree')
  })
})

describe('a submodule', () => {
  test('without kotef is named, and no longer once it is governed', async () => {
    await using repo = await copyGoverned(template())
    await repo.run('sh', ['-c', 'git init -q ../inner; cd ../inner; git commit -qm inner --allow-empty'])
    await repo.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', '../inner', 'in ner')
    const { exit, text } = await runCli(repo, 'doctor')
    expect({ exit, text }).toEqual({
      exit: 0,
      text: expect.stringContaining('the submodule in ner is a repository of its own'),
    })
    expect(text).toContain(`\`cd '${repo.root}/in ner' && kotef init\``)
    await runInit({
      ...repo,
      root: join(repo.root, 'in ner'),
      kotef: (...words) => repo.run('kotef', words, { cwd: join(repo.root, 'in ner') }),
    })
    expect((await runCli(repo, 'doctor')).text).not.toContain('submodule')
  })
})

test('a hook that is called by the config and by a file is told of, where git runs both', async () => {
  await using repo = await copyGoverned(template())
  const command = await repo.read('.git/hooks/pre-push')
  await repo.git('config', 'hook.kotef-pre-push.event', 'pre-push')
  await repo.git('config', 'hook.kotef-pre-push.command', command)
  const { text } = await runCli(repo, 'doctor')
  expect(text.includes('git calls kotef more than once for pre-push')).toBe(GIT_RUNS_CONFIGURED_HOOKS)
})

/** A repository that keeps its hooks in the tree, by itself. */
async function inTree(): Promise<Repo> {
  const repo = await temporaryRepo({ 'src/a.ts': '' })
  await repo.git('config', 'core.hooksPath', 'hooks')
  await repo.write('hooks/.keep', '')
  await runInit(repo)
  await repo.run('sh', ['-c', 'git add --all; git -c core.hooksPath=/dev/null commit -qm adopt -m "Governance: adopt"'])
  return repo
}
