import { expect, test } from 'vitest'
import { fixture } from '../../rig/fixture.ts'
import { runCommands, WITHOUT_DRIVER } from '../../rig/judged-repo.ts'
import { copyGoverned, hookedRepo } from '../../rig/hooked-repo.ts'

const REGISTRY = '.orchestration/active_intents.yaml'
const CONFIG = '.orchestration/config.yaml'
const line = (id: string, name: string) => `  - { id: ${id}, name: ${name}, owned_scope: ["${name}/**"] }`
const commit = (name: string) => `git commit -qam ${name} -m 'Governance: why'`
const add = (id: string, name: string) => `echo '${line(id, name)}' >>${REGISTRY}; ${commit(name)}`
const addFirst = (id: string, name: string) =>
  `sed -i '/^active_intents/a\\${line(id, name)}' ${REGISTRY}; ${commit(name)}`
const sides = (theirs: string, ours: string) => `git switch -q main; ${theirs}; git switch -q w; ${ours}`
const CONFLICT = `${sides(add('INT-008', 'theirs'), add('INT-009', 'ours'))}; git merge -q main >../out 2>&1 || :`
const SETTLED = `sed -i '/^<<<<<<<\\|^=======\\|^>>>>>>>/d' ${REGISTRY}; git add -A`
const STAGED_ONLY = (file: string) =>
  `cp ${file} ../sound; echo 'x: [' >>${file}; git add -A; cp ../sound ${file}; git commit -qm m -m 'Governance: why'`

const template = fixture(async () => {
  const template = await hookedRepo()
  await runCommands(template, `git switch -qc w; ${WITHOUT_DRIVER}`)
  return template
})

test.each([
  [
    'a conflict that nobody settled (team B4b)',
    `${CONFLICT}; git add -A; git commit -qm m`,
    `${REGISTRY} has conflict markers`,
  ],
  [
    'a merge that git makes without a conflict, and that doubles an id (team B4a)',
    `${sides(addFirst('INT-008', 'theirs'), add('INT-008', 'ours'))}; git merge -q --no-edit main`,
    'INT-008 has two meanings',
  ],
  [
    'a merge that gives one of two intents another id, and nobody its commits (solo A4)',
    `${sides(add('INT-008', 'theirs'), add('INT-008', 'ours'))}; git merge -q main >../out 2>&1 || :
      ${SETTLED}; sed -i '$s/INT-008/INT-010/' ${REGISTRY}; git commit -qam m`,
    'INT-008 has two meanings',
  ],
  ['a registry that is damaged only in the index', STAGED_ONLY(REGISTRY), `${REGISTRY} can't be read, line`],
  ['a config that is damaged only in the index', STAGED_ONLY(CONFIG), `${CONFIG} can't be read, line`],
  [
    'a KOTEF.md with conflict markers',
    `printf '<<<<<<< a\\n=======\\n>>>>>>> b\\n' >>.sdd/KOTEF.md; ${commit('m')}`,
    '.sdd/KOTEF.md has conflict markers',
  ],
])('a commit is refused for %s', async (_, commands, words) => {
  await using repo = await copyGoverned(template())
  const { code, stderr } = await runCommands(repo, commands)
  expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining(words) })
})

test('and passes when both sides are kept', async () => {
  await using repo = await copyGoverned(template())
  expect(await runCommands(repo, `${CONFLICT}; ${SETTLED}; git commit -qm m`)).toMatchObject({ code: 0 })
  const clean = sides(addFirst('INT-011', 'first'), add('INT-012', 'last'))
  expect(await runCommands(repo, `${clean}; git merge -q --no-edit main`)).toMatchObject({ code: 0 })
})

test('a rebase, whose commits no hook judges, is stopped at the push (team B4c)', async () => {
  await using repo = await copyGoverned(template())
  const rebase = `git rebase -q main >../out 2>&1 || :; ${SETTLED}; GIT_EDITOR=: git rebase --continue >../out`
  const both = sides(add('INT-008', 'theirs'), add('INT-008', 'ours'))
  await runCommands(repo, `git init -q --bare ../there; git remote add there ../there; git push -q there main`)
  const { code, stderr } = await runCommands(repo, `${both}; ${rebase}; git push -q there w`)
  expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining("can't be read, line") })
})
