import { expect, test } from 'vitest'
import { fixture } from '../../rig/fixture.ts'
import { gitlabVerdict, movedBranch, verdictsOn } from '../../rig/forge-verdicts.ts'
import { runCommands, WITHOUT_DRIVER } from '../../rig/judged-repo.ts'
import { copyGoverned, hookedRepo } from '../../rig/hooked-repo.ts'
import { bypass } from '../../rig/verify-findings.ts'

// What a forge does with a branch, and the one verdict on it: of push, GitHub, GitLab, and a server's hook.

const REGISTRY = '.orchestration/active_intents.yaml'
const CONFIG = '.orchestration/config.yaml'
const FOR_1 = 'Intent-ID: INT-001'
const FOR_9 = 'Intent-ID: INT-009'

// The remote has main, `old` (from before the adoption) and `release` (from before INT-008). The branch `pr` brings
// INT-009 and work for it.
const template = fixture(async () => {
  const template = await hookedRepo()
  const line = (id: string, name: string) => `  - { id: ${id}, name: ${name}, owned_scope: ["${name}/**"] }`
  const add = (id: string, name: string) =>
    `echo '${line(id, name)}' >>${REGISTRY}; ${bypass(`add ${name}`, 'Governance: why')}`
  const { code, stderr } = await runCommands(
    template,
    `${WITHOUT_DRIVER}; git config core.hooksPath /dev/null; git branch old main^; git branch release
    echo 'bots: [{ email: bot@c, paths: ["lib/*.json"] }]' >>${CONFIG}; ${bypass('bots', 'Governance: why')}
    ${add('INT-008', 'theirs')}; mkdir theirs; echo t >theirs/t; ${bypass('theirs', 'Intent-ID: INT-008')}
    git init -q --bare .git/there; git remote add origin .git/there; git push -q --no-verify origin main old release
    git switch -qc pr; ${add('INT-009', 'ours')}; mkdir ours; echo o >ours/o
    ${bypass('work', FOR_9)}; git switch -q main`,
  )
  expect({ code, stderr }).toMatchObject({ code: 0 })
  return template
})

const isNew = (subject: string) => `review governance-changed ${REGISTRY} in ${subject}`
const SQUASH = `git merge -q --squash pr; git commit -qm 'Ours (#1)'`
const MESSAGES = `-m '* add ours' -m 'Governance: why' -m '* work' -m '${FOR_9}' -m --- -m 'Co-authored-by: A <a@b>'`
const SETTLE = `sed -i '/^<<<<<<<\\|^=======\\|^>>>>>>>/d' ${REGISTRY}`
const MERGE = "git merge -q --no-ff -m 'Merge pull request #1' pr"
const MORE = (n: number) => `echo ${n} >>src/b.ts; ${bypass(`more ${n}`, FOR_1)}`
const FORGED = `echo e >theirs/t; git commit -qam back -m "This reverts commit $(git rev-parse HEAD)." -m '${FOR_1}'`

const ORPHAN = `git switch -q --orphan x; mkdir -p lib; echo evil >lib/x.ts; ${bypass('evil')}`
const UNRELATED = 'git merge -q --allow-unrelated-histories -X theirs -m M'

type Row = [promise: string, branch: string, commands: string, found: string[]]

// The commands begin on the branch, which the remote has, and end at its new tip.
const ROWS: Row[] = [
  ['a pull request, as it stands (team S7, solo A2)', 'new', 'git switch -q pr', [isNew('add ours')]],
  ['a plain merge', 'main', MERGE, [isNew('add ours')]],
  ['a squash', 'main', `${SQUASH} ${MESSAGES}`, [isNew('Ours (#1)')]],
  [
    'a squash with both trailers in its last paragraph (team A10)',
    'main',
    `${SQUASH} -m 'Governance: why\n${FOR_9}'`,
    [isNew('Ours (#1)')],
  ],
  [
    'a squash with a title alone (team A10)',
    'main',
    SQUASH,
    ['block intent-named - in Ours (#1)', `block governance-alone ${REGISTRY} in Ours (#1)`],
  ],
  [
    'a rebase merge',
    'main',
    'git rebase -q main pr; git switch -q main; git merge -q --ff-only pr',
    [isNew('add ours')],
  ],
  [
    'a queue with two (team B2)',
    'main',
    `git branch second; git switch -q second; ${MORE(1)}; git switch -q main; ${MERGE}
      git merge -q --no-ff -m 'Merge pull request #2' second`,
    [isNew('add ours')],
  ],
  [
    'a branch that was updated twice (team B2)',
    'new',
    `for n in 1 2; do git switch -q main; echo "# $n" >>${REGISTRY}; git commit -qam "main $n" -m 'Governance: why'
      git push -q origin main; git switch -q pr; echo $n >>ours/o; git commit -qam "on $n" -m '${FOR_9}'
      git merge -q main >../out || { ${SETTLE}; git commit -qam update; }; done`,
    [isNew('add ours')],
  ],
  [
    'the revert button (team S7, solo A3)',
    'main',
    `${MERGE}; git push -q origin main; git revert --no-edit -m 1 HEAD >../out`,
    [isNew('Revert "Merge pull request #1"')],
  ],
  [
    'the web editor (team S11)',
    'main',
    `echo a >>src/a.ts; ${bypass('Update a.ts')}`,
    ['block intent-named - in Update a.ts'],
  ],
  ['the web editor, with a trailer', 'main', `echo a >>src/a.ts; ${bypass('Update a.ts', FOR_1)}`, []],
  [
    "an outsider's fork, with an intent of another",
    'new',
    `git switch -qc fork; echo x >>lib/x.ts; ${bypass('fix', FOR_1)}`,
    ['block in-scope lib/x.ts in fix'],
  ],
  ['a bot', 'new', `git switch -qc bump; echo 1 >lib/l.json; git add -A; git commit -qm bump --author 'b <bot@c>'`, []],
  ['a push by force', 'pr', `git push -q origin pr; git switch -qC pr main; ${MORE(1)}`, []],
  [
    'a branch from before the adoption (team B3)',
    'old',
    `git switch -q old; echo 1 >>lib/x.ts; ${bypass('old work')}`,
    [],
  ],
  [
    'a branch from before the adoption that merges main',
    'old',
    `git switch -q old; echo 1 >>docs/b.md; ${bypass('old work')}; git merge -q --no-edit main
      echo x >>lib/x.ts; ${bypass('late', FOR_1)}`,
    ['block in-scope lib/x.ts in late'],
  ],
  ['a backport (team S12)', 'release', 'git switch -q release; git cherry-pick -x main >../out', []],
  ['a forged revert', 'main', FORGED, ['block in-scope theirs/t in back']],
  ['a revert of a commit of another intent', 'main', 'git revert --no-edit HEAD >../out', []],
  [
    'a merge whose conflict widens a scope (team S1)',
    'main',
    `echo '# main' >>${REGISTRY}; ${bypass('main', 'Governance: why')}; ${MERGE} >../out ||
      { sed -i -e '/^<<<<<<<\\|^=======\\|^>>>>>>>/d' -e '/INT-002/s|docs/..|**|' ${REGISTRY}; git commit -qam evil; }`,
    [isNew('add ours'), `review governance-alone ${REGISTRY} in evil`, `block governance-loosened ${REGISTRY} in evil`],
  ],
  [
    'a merge whose conflict widens a scope, with a reason',
    'main',
    `echo '# main' >>${REGISTRY}; ${bypass('main', 'Governance: why')}; ${MERGE} >../out ||
      { sed -i -e '/^<<<<<<<\\|^=======\\|^>>>>>>>/d' -e '/INT-002/s|docs/..|**|' ${REGISTRY}
        git commit -qam evil -m 'Governance: why'; }`,
    [isNew('add ours'), `review governance-loosened ${REGISTRY} in evil`],
  ],
  [
    'a merge that leaves conflict markers (team B4)',
    'main',
    `echo '# main' >>${REGISTRY}; ${bypass('main', 'Governance: why')}; ${MERGE} >../out || git commit -qam evil`,
    [isNew('add ours'), `review governance-alone ${REGISTRY} in evil`, `block policy-readable ${REGISTRY} in evil`],
  ],
  [
    'an orphan that is merged',
    'main',
    `${ORPHAN}; git switch -q main; ${UNRELATED} x`,
    ['block intent-named - in M', 'review policy-newer - in evil'],
  ],
  [
    'an orphan that is merged with a reason',
    'main',
    `${ORPHAN}; git switch -q main; ${UNRELATED} -m 'Governance: why' x`,
    ['review policy-newer - in evil'],
  ],
  [
    'a branch from before the adoption that is merged',
    'main',
    `git switch -q old; echo 1 >>lib/x.ts; ${bypass('old work')}; git switch -q main; git merge -q -m M old 2>../said`,
    ['review policy-newer - in old work'],
  ],
]

// Pushes by force, which only the last one can see: the commits themselves are fine, or are not judged.
const REPLACED: Row[] = [
  ['an orphan in the place of main', 'main', ORPHAN, ['block history-replaced - in -']],
  ['an orphan in the place of a branch', 'release', ORPHAN, ['block history-replaced - in -']],
  ['main without its last work', 'main', 'git reset -q --hard HEAD^', ['review history-replaced - in -']],
  ['main without its last policy', 'main', 'git reset -q --hard HEAD~3', [`block history-replaced ${CONFIG} in -`]],
]

// GitLab differs from GitHub only in how it names the range, and that depends on the branch.
const FIRST_OF_BRANCH: ReadonlySet<string> = new Set(
  Object.values(Object.fromEntries([...ROWS, ...REPLACED].toReversed().map(([promise, branch]) => [branch, promise]))),
)

test.concurrent.each([...ROWS, ...REPLACED])(
  'push, GitHub, GitLab and server say the same of %s',
  async (...[promise, branch, commands, found]) => {
    await using repo = await copyGoverned(template())
    expect(await runCommands(repo, commands)).toMatchObject({ code: 0 })
    const move = await movedBranch(repo, branch)
    const expected = found.toSorted()
    expect(await verdictsOn(repo, move)).toEqual({
      push: expected,
      github: expected,
      server: expected,
    })
    if (FIRST_OF_BRANCH.has(promise)) expect(await gitlabVerdict(repo, move)).toEqual(expected)
  },
)

// Where the hooks do what a forge can't: the commit has the trailers that its twin on the forge lacks.
const STAMPED: Readonly<Record<string, string>> = {
  'a squash with a title alone (team A10)': 'those of the commits that it combines',
  'the web editor (team S11)': "the session's intent",
}

test.concurrent.each(ROWS)('the hooks stop what a push would stop, and nothing else, of %s', async (...row) => {
  const [promise, , commands, found] = row
  await using repo = await copyGoverned(template())
  const withHooks = commands.replaceAll('git -c core.hooksPath=/dev/null ', 'git ').replaceAll('git push', PUSH)
  const { code, stderr } = await runCommands(repo, `git config --unset core.hooksPath; ${withHooks}`)
  const blocks = promise in STAMPED ? [] : found.filter(it => it.startsWith('block '))
  expect({ code, said: blockingLines(stderr) }).toEqual({ code: blocks.length > 0 ? 1 : 0, said: blocks.map(lineOf) })
})

// The remote is the forge's, which judges by itself.
const PUSH = 'git -c core.hooksPath=/dev/null push'

const lineOf = (finding: string): unknown => expect.stringMatching(LINES[finding.split(' ')[1] ?? ''] ?? /$^/)
const LINES: Readonly<Record<string, RegExp>> = {
  'in-scope': /lib\/x\.ts is outside intent INT-001$|theirs\/t has other content than git makes/,
  'governance-loosened': /INT-002 may touch more: \*\*; neither side of this merge has that$/,
  'intent-named': /names no intent, and the merge brings lib\/x\.ts from a history that nobody judged$/,
  'policy-readable': /active_intents\.yaml has conflict markers$/,
}

function blockingLines(text: string): string[] {
  return text.split('\n').filter(it => it.startsWith('  block '))
}
