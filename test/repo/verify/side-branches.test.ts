import { expect, test } from 'vitest'
import { fixture } from '../../rig/fixture.ts'
import { runCommands } from '../../rig/judged-repo.ts'
import { copyGoverned, hookedRepo } from '../../rig/hooked-repo.ts'
import { bypass, verifyFindings } from '../../rig/verify-findings.ts'

const FOR_1 = 'Intent-ID: INT-001'
const FOR_2 = 'Intent-ID: INT-002'

// On branch `w`, which is where main is; the commit below main is from before the adoption.
const template = fixture(async () => {
  const template = await hookedRepo()
  await runCommands(template, 'git config core.hooksPath /dev/null; git switch -qc w')
  return template
})

const merged = 'git switch -q w; git merge -q -m M --allow-unrelated-histories x'
const picked = (line: string) => `git switch -q w; echo pick >lib/x.ts; ${bypass('pick', line)}`

test.each<[promise: string, commands: string, found: string[]]>([
  [
    'a pick of what nobody judged',
    `git switch -qc x; echo evil >lib/x.ts; ${bypass('evil', FOR_1)}; ${picked('(cherry picked from commit OID)')}`,
    ['block intent-named - in pick'],
  ],
  [
    'a revert of what nobody judged',
    `git switch -qc x; echo evil >lib/x.ts; ${bypass('evil', FOR_1)}; ${picked('This reverts commit OID.')}`,
    ['block intent-named - in pick'],
  ],
  [
    'a merge that keeps its own side and so undoes the work of the other',
    `git switch -qc x; echo more >>docs/b.md; ${bypass('docs', FOR_2)}; git switch -q w; echo a >>src/a.ts
     ${bypass('work', FOR_1)}; git merge -q -s ours -m ours x`,
    ['block intent-named - in ours'],
  ],
  [
    'a merge that takes some of it back',
    `git switch -qc x; echo more >>docs/b.md; ${bypass('docs', FOR_2)}; git switch -q w; echo a >>src/a.ts
     ${bypass('work', FOR_1)}; git merge -q --no-commit x; git checkout -q main -- docs/b.md; git commit -qm back`,
    ['block intent-named - in back'],
  ],
])('is held to what is governed: %s', async (_, commands, found) => {
  await using repo = await copyGoverned(template())
  const script = commands
    .replace('OID', '$(git rev-parse x)')
    .replace(/-m '([^']*)\$\(git rev-parse x\)([^']*)'/, `-m "$1$(git rev-parse x)$2"`)
  expect(await runCommands(repo, script)).toMatchObject({ code: 0 })
  expect(await verifyFindings(repo, 'main..w')).toEqual(found)
})

test.each<[promise: string, commands: string]>([
  [
    'a pick within the range',
    `echo a >>src/a.ts; ${bypass('one', FOR_1)}; git revert --no-edit HEAD; git cherry-pick HEAD^`,
  ],
  [
    'a merge whose conflict was settled by taking a side',
    `git switch -qc x; echo x >src/a.ts; ${bypass('x', FOR_1)}; git switch -q w; echo w >src/a.ts; ${bypass('w', FOR_1)}
     git merge -q x || git checkout -q --theirs src/a.ts; git add src/a.ts; git commit -qm merged`,
  ],
])('is fine: %s', async (_, commands) => {
  await using repo = await copyGoverned(template())
  expect(await runCommands(repo, commands)).toMatchObject({ code: 0 })
  expect(await verifyFindings(repo, 'main..w')).toEqual([])
})

const ORPHAN = `git switch -q --orphan x; mkdir -p lib; echo evil >lib/x.ts; ${bypass('evil')}`
const theirs = (...trailers: string[]) =>
  `git switch -q w; printf '%s\\n' M '' ${trailers.map(it => `'${it}'`).join(' ')} >../message
   git merge -q --allow-unrelated-histories -X theirs -F ../message x`
const made = (tree: string, ...others: string[]) =>
  `git reset -q --hard $(git commit-tree -m M -p w ${others.map(it => `-p ${it}`).join(' ')} ${tree}^{tree})`

const EVIL = 'mkdir -p lib; echo evil >lib/x.ts; git add lib'
const THEIRS = 'git switch -q w; git merge -q -m M --allow-unrelated-histories -X theirs x'

test.each<[promise: string, commands: string, found: string[]]>([
  [
    'a commit on top of one from before the adoption (team B3)',
    `git switch -qc x main^; echo evil >lib/evil; ${bypass('evil')}; ${merged}`,
    ['review policy-newer - in evil'],
  ],
  [
    'an orphan',
    `git switch -q --orphan x; mkdir lib; echo evil >lib/evil; ${bypass('evil')}; ${merged}`,
    ['block intent-named - in M', 'review policy-newer - in evil'],
  ],
  [
    'an orphan whose side a merge takes',
    `git switch -q --orphan x; ${EVIL}; ${bypass('evil')}; ${THEIRS}`,
    ['block intent-named - in M', 'review policy-newer - in evil'],
  ],
  [
    'an orphan, merged for an intent that does not own it',
    `${ORPHAN}; ${theirs(FOR_1)}`,
    ['block in-scope lib/x.ts in M', 'review policy-newer - in evil'],
  ],
  [
    'an orphan, merged for the intents that own it',
    `git switch -q --orphan x; mkdir -p src docs; echo x >src/x.ts; echo y >docs/y.md; ${bypass('evil')}
      ${theirs(FOR_1, FOR_2)}`,
    ['review policy-newer - in evil'],
  ],
  ['an orphan that a person accepts', `${ORPHAN}; ${theirs('Governance: why')}`, ['review policy-newer - in evil']],
  [
    'an orphan with a forbidden path, accepted',
    `echo .pem >>.intentignore; ${bypass('ignore', 'Governance: why')}; git branch -f main w
      git switch -q --orphan x; echo p >.pem; ${bypass('evil')}; ${theirs('Governance: why')}`,
    ['block governance-alone .pem in M', 'review policy-newer - in evil'],
  ],
  [
    'an orphan with governance files, in letters of another case',
    `git switch -q --orphan x; mkdir .Claude; echo '{}' >.Claude/settings.json; ${bypass('evil')}; ${theirs(FOR_1)}`,
    ['block governance-alone .Claude/settings.json in M', 'review policy-newer - in evil'],
  ],
  [
    'an orphan into which main is merged, and to which main is then moved',
    `${ORPHAN}; git merge -q -m M --allow-unrelated-histories -X ours w; git branch -f w x; git switch -q w`,
    ['block intent-named - in M', 'review policy-newer - in evil'],
  ],
  [
    'an orphan, as a merge of three',
    `${ORPHAN}; git switch -q main; echo n >>docs/n; ${bypass('docs', FOR_2)}; git switch -q w
      ${made('x', 'main', 'x')}`,
    ['block governance-alone .orchestration/active_intents.yaml in M'],
  ],
  [
    'an orphan, as a merge that no hook has seen',
    `${ORPHAN}; git switch -q w; ${made('x', 'x')}`,
    // Its tree also lacks what governs.
    ['block governance-alone .orchestration/active_intents.yaml in M'],
  ],
  [
    'an orphan on a history that was brought before, and added nothing then',
    `git switch -q --orphan x; ${bypass('root')}; git switch -q w
      git merge -q -s ours -m ours --allow-unrelated-histories x
      git switch -q --discard-changes x; ${EVIL}; ${bypass('evil')}; ${theirs()}`,
    ['block intent-named - in M', 'review policy-newer - in evil'],
  ],
  [
    'governance files of a branch from before the adoption',
    `git switch -qc x main^; mkdir .claude; echo '{}' >.claude/settings.json; ${bypass('evil')}; ${merged}`,
    ['block governance-alone .claude/settings.json in M', 'review policy-newer - in evil'],
  ],
  [
    'the same, with a reason',
    `git switch -qc x main^; mkdir .claude; echo '{}' >.claude/settings.json; ${bypass('evil')}
    ${theirs('Governance: why')}`,
    ['review policy-newer - in evil'],
  ],
  [
    'an orphan with an adoption of its own that has work in it',
    `git checkout -q --orphan x; ${EVIL}; ${bypass('evil', 'Governance: why')}; ${THEIRS}`,
    ['block policy-in-range lib/x.ts in evil'],
  ],
])('of a history without a registry before it says, in verify and in a push: %s', async (_, commands, found) => {
  await using repo = await copyGoverned(template())
  await runCommands(repo, 'git init -q --bare .git/there; git remote add there .git/there; git push -q there main')
  expect(await runCommands(repo, commands)).toMatchObject({ code: 0 })
  const some = expect.arrayContaining(found)
  expect(await verifyFindings(repo, 'main..w')).toEqual(some)
  const isBlocked = found.some(it => it.startsWith('block'))
  const push = await repo.play('git config --unset core.hooksPath; git push -q there w:main')
  expect(push).toMatchObject({
    code: isBlocked ? 1 : 0,
    stderr: expect.stringMatching(isBlocked ? /block/ : /review .* evil has no registry/),
  })
})

test('a branch that stays without a registry is not judged, and that is said', async () => {
  await using repo = await copyGoverned(template())
  await runCommands(repo, `git switch -q --orphan pages; echo x >page; ${bypass('pages')}`)
  expect(await verifyFindings(repo, 'main..pages')).toEqual(['review history-replaced - in -'])
})

const HOOKED = 'git config --unset core.hooksPath'

test('the hooks say the same of a merge, and it is made as they say', async () => {
  await using repo = await copyGoverned(template())
  await runCommands(repo, `${ORPHAN}; git switch -q w; echo d >docs/d.md; ${bypass('docs', FOR_2)}; ${HOOKED}`)
  const merge = 'git merge -q --allow-unrelated-histories -X theirs -m M'
  const refused = await runCommands(repo, `${merge} x`)
  expect(refused).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('the merge brings lib/x.ts from a history'),
  })
  const [, command = ''] = /`(git commit .*)`/.exec(refused.stderr) ?? []
  expect(await runCommands(repo, command)).toMatchObject({ code: 0 })
  // The reason accepts what a merge brings, and a squash is none.
  const asSquash = 'review squash-refused lib/x.ts in -'
  expect(await verifyFindings(repo, 'main..w')).toEqual(['review policy-newer - in evil', asSquash])
  await runCommands(repo, 'git reset -q --hard HEAD^')
  expect(await runCommands(repo, `${merge} -m '${FOR_1}' x`)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('lib/x.ts is outside intent INT-001; the merge brings it'),
  })
})

test('the hooks list what a branch from before the adoption brings', async () => {
  await using repo = await copyGoverned(template())
  const old = `git switch -qc x main^; echo y >lib/y; ${bypass('old')}; git switch -q w; ${HOOKED}`
  expect(await runCommands(repo, `${old}; git merge -q -m M x`)).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('the merge brings lib/y of a branch from before the adoption'),
  })
})

test('an import of another project in a folder is fine for the intent that owns the folder', async () => {
  await using repo = await copyGoverned(template())
  const imported = `git switch -q --orphan x; echo lib >index.ts; mkdir lib; echo x >lib/x.ts; ${bypass('theirs')}
    git switch -q w; git merge -q -s ours --no-commit --allow-unrelated-histories x
    git read-tree --prefix=src/vendor/ -u x; ${HOOKED}; git commit -qm import -m '${FOR_1}'`
  expect(await runCommands(repo, imported)).toMatchObject({ code: 0 })
  expect(await verifyFindings(repo, 'main..w')).toEqual(['review policy-newer - in theirs'])
})

test('a branch that merged main several times in a row adds nothing by its merges (team B2)', async () => {
  await using repo = await copyGoverned(template())
  const round = `git switch -q main; echo more >>docs/b.md; echo n >docs/$n; ${bypass('docs', FOR_2)}
    git switch -q w; echo a >>src/a.ts; ${bypass('work', FOR_1)}; git merge -q --no-edit main`
  expect(await runCommands(repo, `for n in 1 2 3; do ${round}; done`)).toMatchObject({ code: 0 })
  expect(await verifyFindings(repo, 'main..w')).toEqual([])
  expect(await verifyFindings(repo, 'main~2..w')).toEqual([])
})
