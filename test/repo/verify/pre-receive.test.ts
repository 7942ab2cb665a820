import { describe, expect, test } from 'vitest'
import { fixture } from '../../rig/fixture.ts'
import { runCommands } from '../../rig/judged-repo.ts'
import { copyGoverned, hookedRepo, runCliOrThrow } from '../../rig/hooked-repo.ts'
import { packedKotef } from '../../rig/packed-kotef.ts'
import { recordAgentWrite } from '../../rig/recorded-write.ts'
import type { Repo } from '../../rig/repo.ts'
import { bypass } from '../../rig/verify-findings.ts'

const FOR_1 = 'Intent-ID: INT-001'
const REGISTRY = '.orchestration/active_intents.yaml'
const NAUGHTY = `echo x >>lib/x.ts; ${bypass('naughty', FOR_1)}`
const FINE = `echo a >>src/a.ts; ${bypass('fine', FOR_1)}`
const PUSH = 'git push -q --no-verify there'
const SAME_PARENT = 'commit-tree -m n -p refs/notes/kotef'
const EMPTY = `git update-ref refs/notes/kotef $(git ${SAME_PARENT} $(git mktree </dev/null)); ${PUSH} refs/notes/kotef`
const REMOVE = `git notes --ref=kotef remove HEAD^; ${PUSH} refs/notes/kotef`
const edit = (change: string) => `git notes --ref=kotef show HEAD^ | { ${change}; } >../note
  git notes --ref=kotef add -f -F ../note HEAD^; ${PUSH} refs/notes/kotef`
const LOSE = `git update-ref refs/notes/kotef $(git commit-tree -m n HEAD^{tree}); ${PUSH} -f refs/notes/kotef`

const claim = { session: 's', agent: null, host: 'h', pid: null, by: 1, worktree: '/w', gitDir: '.' }
const CLAIM_TEXT = JSON.stringify({ ...claim, claimedAt: '2026-01-01T00:00:00Z' })
const CLAIM = `$(echo '${CLAIM_TEXT}' | git hash-object -w --stdin)`

// The bare repository .git/there has main and kotef's hook.
const template = fixture(async () => {
  const template = await hookedRepo()
  const { root } = packedKotef()
  const commands = `git init -q --bare .git/there; git remote add there .git/there; git push -q --no-verify there main
    cp ${root}/hooks/pre-receive .git/there/hooks/; chmod +x .git/there/hooks/pre-receive; git switch -qc w`
  expect(await runCommands(template, commands)).toMatchObject({ code: 0 })
  // The first two of FINE's commits have a known author, so they get notes.
  await recordAgentWrite(template, 'src/a.ts', { before: 'a\n', added: 'a\n' })
  await recordAgentWrite(template, 'src/a.ts', { before: 'a\na\n', added: 'a\n' })
  return template
})

const REOPENED = `sed -i '/INT-004/s/COMPLETED/PENDING/' ${REGISTRY}; ${bypass('reopen', 'Governance: why')}`
const WORK = `echo c >>old/c; ${bypass('work', 'Intent-ID: INT-004')}`

// The branch `w` reopens an intent, on the server too, and has work for it.
const reopened = fixture(async () => {
  const repo = await copyGoverned(template())
  expect(await runCommands(repo, `${REOPENED}; ${PUSH} w 2>../said; ${WORK}`)).toMatchObject({ code: 0 })
  return repo
})

// The branch `w` has two more commits with notes, and the server has the notes.
const noted = fixture(async () => {
  const repo = await copyGoverned(template())
  for (const _ of [1, 2]) {
    expect(await runCommands(repo, FINE)).toMatchObject({ code: 0 })
    await runCliOrThrow(repo, 'finalise')
    const stderr = expect.not.stringContaining('block')
    expect(await runCommands(repo, `${PUSH} refs/notes/kotef`)).toMatchObject({ code: 0, stderr })
  }
  return repo
})

describe.concurrent('a push over a hook of the server', () => {
  test.each([
    ['a new branch', `${FINE}; ${PUSH} w`],
    ['a branch that moves on', `${FINE}; ${PUSH} w:main`],
    ['a branch of what is there', `${PUSH} main:other`],
    ['a claim of a clone', `${PUSH} $(echo {} | git hash-object -w --stdin):refs/kotef/clones/x/claims/INT-001`],
    ['a branch that is deleted', `${PUSH} w; ${PUSH} :w`],
    ['a branch that is set back', `${FINE}; ${PUSH} w; ${PUSH} -f main:w`],
    ['a tag', `${NAUGHTY}; git tag t; ${PUSH} t`],
    ['a tag of a text', `git tag t $(echo x | git hash-object -w --stdin); ${PUSH} t`],
    ["others' notes", `git notes add -m n; ${PUSH} refs/notes/commits`],
    ['several at once', `${FINE}; ${PUSH} w w:x main:y`],
    [
      'a merge that settles a conflict',
      `${conflicted('git add -A; git -c core.hooksPath= commit -qm merge')}; ${PUSH} w`,
    ],
    ['a claim', `${PUSH} ${CLAIM}:refs/kotef/claims/INT-001`],
    ['what governs, alone', `echo x >>.intentignore; ${bypass('govern', 'Governance: why')}; ${PUSH} w`],
  ])('goes through: %s', async (_, commands) => {
    await using repo = await copyGoverned(template())
    const { code, stderr } = await runCommands(repo, commands)
    expect({ code, stderr }).toMatchObject({ code: 0 })
    expect(stderr).not.toContain('block')
  })

  test('goes through: notes of kotef that grow', async () => {
    const listed = await noted().git('-C', '.git/there', 'notes', '--ref=kotef', 'list')
    expect(listed.match(/\n/g)).toHaveLength(2)
  })

  test.each([
    ['in a new branch', `${NAUGHTY}; ${PUSH} w`, 'lib/x.ts is outside intent INT-001 (in-scope)'],
    ['in a branch that is there', `${NAUGHTY}; ${PUSH} w:main`, 'lib/x.ts is outside intent INT-001 (in-scope)'],
    ['under what is fine', `${NAUGHTY}; ${FINE}; ${PUSH} w`, 'naughty'],
    ['among others', `${FINE}; git branch f; ${NAUGHTY}; ${PUSH} f w`, 'naughty'],
    ['by force', `${FINE}; ${PUSH} w; git reset -q --hard main; ${NAUGHTY}; ${PUSH} -f w`, 'naughty'],
    ['that a tag brought before', `${NAUGHTY}; git tag t; ${PUSH} t; ${PUSH} w`, 'naughty'],
    ['in other references', `${NAUGHTY}; ${PUSH} w:refs/for/main`, 'naughty'],
    [
      'that it allows itself',
      `${REOPENED}; echo c >>old/c; ${bypass('naughty', 'Intent-ID: INT-004')}; ${PUSH} w`,
      '(policy-in-range)',
    ],
    [
      'beside the history of the server',
      `git switch -q --orphan o; mkdir -p .orchestration; rm -f .orchestration/agent_trace.jsonl
        echo 'active_intents: [{ id: INT-001, name: n, status: IN_PROGRESS, owned_scope: ["**"] }]' >${REGISTRY}
        ${bypass('mine', 'Governance: why')}; mkdir -p lib; ${NAUGHTY}; ${PUSH} o`,
      '(policy-in-range)',
    ],
    ['as an evil merge', `${conflicted('echo x >>lib/x.ts; git add -A; git commit -qnm evil')}; ${PUSH} w`, 'evil'],
    [
      'as a note of something else (team S4)',
      `git notes --ref=kotef add -m 1; ${PUSH} refs/notes/kotef`,
      'note-edited',
    ],
    [
      'as a reference of kotef that is moved',
      `${PUSH} main:refs/kotef/x; ${PUSH} -f main~1:refs/kotef/x`,
      'notes-rewound',
    ],
    ['as something else than a claim', `${PUSH} main:refs/kotef/claims/INT-001`, 'ref-refused'],
    ['as a replacement', `git replace main main~1; ${PUSH} 'refs/replace/*'`, 'ref-refused'],
    ['as first notes that are none', `${PUSH} main:refs/notes/kotef`, 'ref-refused'],
  ])('is refused for a violation %s', async (_, commands, words) => {
    await using repo = await copyGoverned(template())
    await expectRefusal(repo, commands, words)
  })

  test.each([
    ['as lost notes', LOSE, 'notes-rewound'],
    ['as notes of which none is left (team S4)', EMPTY, 'notes-rewound'],
    ['as a note that is removed (team S4)', REMOVE, 'notes-rewound'],
    ['as a record that is removed (team S4)', edit(`sed 's/.*//'; echo x`), 'notes-rewound'],
    ['as a note that is edited (team S4)', edit(`tee ../old | sed 's/src/lib/g'; cat ../old`), 'note-edited'],
    ['as deleted notes', `${PUSH} :refs/notes/kotef`, 'notes-rewound'],
  ])('is refused for a violation %s', async (_, commands, words) => {
    await using repo = await copyGoverned(noted())
    await expectRefusal(repo, commands, words)
  })

  const WIDER = `sed -i '/INT-001/s|src/..|**|' ${REGISTRY}; ${bypass('wider', 'Governance: why')}`

  test('to the default branch obeys the policy of its old tip, whatever another branch brought (60b)', async () => {
    await using repo = await copyGoverned(template())
    const { code, stderr } = await runCommands(repo, `${WIDER}; ${PUSH} w 2>../said; ${NAUGHTY}; ${PUSH} w:main`)
    expect({ code, stderr }).toMatchObject({ code: 0 })
    expect(stderr).toContain('0 problems, 1 thing to look at')
    expect(stderr).toContain('INT-001 may touch more: **, so more is allowed than before (governance-loosened)')
  })

  const TRUNK = `${PUSH} main:trunk; git -C .git/there symbolic-ref HEAD refs/heads/trunk`

  test.each([
    ['main', `git -C .git/there symbolic-ref HEAD refs/heads/main; ${PUSH} w:main`],
    ['main, where HEAD names none', `git -C .git/there symbolic-ref HEAD refs/heads/none; ${PUSH} w:main`],
    ['main, where HEAD is detached', `git -C .git/there update-ref --no-deref HEAD main; ${PUSH} w:main`],
    ['trunk', `${TRUNK}; ${PUSH} w:trunk`],
  ])('to the default branch is refused for what only another branch had allowed: %s', async (_, push) => {
    await using repo = await copyGoverned(reopened())
    const { code, stderr } = await runCommands(repo, push)
    expect({ code, stderr }).toMatchObject({ code: 1 })
    expect(stderr).toContain('(policy-in-range)')
  })

  test('goes through with what another branch had before, and the default branch lists it', async () => {
    await using repo = await copyGoverned(reopened())
    const feature = `git switch -qc feature main; ${FINE}; ${PUSH} feature
      git -c core.hooksPath= merge -q --no-edit w; ${PUSH} feature; ${WORK}; ${PUSH} feature`
    expect(await runCommands(repo, `${PUSH} w; ${feature}`)).toMatchObject({ code: 0, stderr: '' })
    const { code, stderr } = await runCommands(repo, `${PUSH} w:main`)
    expect({ code, stderr }).toMatchObject({ code: 0 })
    expect(stderr).toContain('0 problems, 2 things to look at')
    expect(stderr).toContain('(policy-in-range)')
  })

  test('of a merge says of the merged branch only what it changes in the policy', async () => {
    await using repo = await copyGoverned(template())
    const silent = 'mv .git/there/hooks/pre-receive ../hook'
    const back = 'mv ../hook .git/there/hooks/pre-receive'
    const merge = 'git switch -q main; git -c core.hooksPath= merge -q --no-ff --no-edit w'
    const commands = `${WIDER}; ${NAUGHTY}; echo p >>'.pem'; ${bypass('secret')}; ${silent}; ${PUSH} w; ${back}
      ${merge}; ${PUSH} main`
    const { code, stderr } = await runCommands(repo, commands)
    expect({ code, stderr }).toMatchObject({ code: 0 })
    expect(stderr).toContain('0 problems, 1 thing to look at')
    expect(stderr).toContain('(governance-loosened)')
  })

  test("of a sync goes through: a claim of this clone is new, is another session's, and is over", async () => {
    await using repo = await copyGoverned(template())
    const names = "git --git-dir=.git/there for-each-ref --format='%(refname:lstrip=-1)' refs/kotef/clones"
    const sync = `kotef sync there | grep -i claim; ${names}`
    const commands = `${sync}; kotef session end --all >../out; kotef intent start INT-001 >../out; ${sync}
      kotef session end --all >../out; ${sync}`
    expect((await repo.play(commands)).stdout).toBe('INT-001\nINT-001\n')
  })

  test('is refused when nobody can judge it', async () => {
    await using repo = await copyGoverned(template())
    const commands = `${FINE}; KOTEF=/nowhere/kotef ${PUSH} w`
    expect(await runCommands(repo, commands)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('kotef: push refused, there is no kotef here to judge it.'),
    })
  })

  test('is not fine because nobody understands what git tells', async () => {
    await using repo = await copyGoverned(template())
    const input = `${'0'.repeat(40)} main refs/heads/x\n`
    expect(await repo.run('kotef', ['verify', '--pre-receive'], { input })).toMatchObject({ code: 2 })
    expect(await repo.run('kotef', ['verify', '--pre-receive'], { input: '' })).toMatchObject({ code: 0, stdout: '' })
  })

  test('leaves nothing behind in the server when it is refused', async () => {
    await using repo = await copyGoverned(template())
    const files = 'find .git/there -type f | sort'
    const before = (await repo.play(files)).stdout
    await runCommands(repo, `${conflicted('echo x >>lib/x.ts; git add -A; git commit -qnm evil')}; ${PUSH} w`)
    expect((await repo.play(files)).stdout).toBe(before)
  })
})

async function expectRefusal(repo: Repo, commands: string, words: string): Promise<void> {
  const before = await runCommands(repo, 'git -C .git/there for-each-ref refs/heads')
  const { code, stderr } = await runCommands(repo, commands)
  expect(code, stderr).toBe(1)
  expect(stderr).toContain(words)
  expect(stderr).toContain('[remote rejected]')
  expect(await runCommands(repo, 'git -C .git/there for-each-ref refs/heads/main refs/heads/o')).toEqual(before)
}

function conflicted(then: string): string {
  const on = (branch: string) => `echo ${branch} >>src/a.ts; ${bypass(branch, FOR_1)}`
  return `git switch -qc side; ${on('side')}; git switch -q w; ${on('w')}
    git merge -q side >../out 2>&1 || :; ${then}`
}

test('a governed history of its own stays foreign to a merge when the server has it as another branch', async () => {
  await using repo = await copyGoverned(template())
  const foreign = `git checkout -q --orphan x; git rm -qrf .; mkdir -p lib; echo evil >lib/evil.ts; ${bypass('evil')}
    git checkout -q main -- .orchestration; ${bypass('adopt', 'Governance: adopt kotef')}; ${PUSH} x:evil`
  const merge = 'git -c core.hooksPath=/dev/null merge -q -m M --allow-unrelated-histories -X ours x'
  expect(await runCommands(repo, `${foreign}; git switch -q w; ${merge}`)).toMatchObject({ code: 0 })
  expect(await runCommands(repo, `${PUSH} w`)).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/the merge brings lib\/evil\.ts from a history/),
  })
  expect(await runCommands(repo, `git reset -q --hard HEAD^; ${FINE}; ${PUSH} w`)).toMatchObject({ code: 0 })
})
