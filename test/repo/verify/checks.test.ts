import { expect, test } from 'vitest'
import { runCommands } from '../../rig/judged-repo.ts'
import { copyGoverned, hookedRepo } from '../../rig/hooked-repo.ts'
import type { Repo } from '../../rig/repo.ts'
import { bypass, verifyFindings } from '../../rig/verify-findings.ts'

const REGISTRY = '.orchestration/active_intents.yaml'

async function checkedRepo(): Promise<Repo> {
  const criteria = `[by hand, { cmd: "test ! -e src/bad || { echo no; exit 3; }" }]`
  const repo = await hookedRepo({
    registry: `active_intents:
  - { id: INT-001, name: n, status: IN_PROGRESS, owned_scope: ["src/**"], acceptance_criteria: ${criteria} }
  - { id: INT-002, name: o, status: IN_PROGRESS, owned_scope: ["docs/**"], acceptance_criteria: [{ cmd: "false" }] }
`,
  })
  await runCommands(repo, `git switch -qc w; echo a >>src/a.ts; ${bypass('work', 'Intent-ID: INT-001')}`)
  return repo
}

test('the checks of the intents that are cited run, and no others', async () => {
  await using repo = await checkedRepo()
  expect(await verifyFindings(repo, 'main..w', '--run-checks')).toEqual([])
  await runCommands(repo, `touch src/bad; ${bypass('bad', 'Intent-ID: INT-001')}`)
  expect(await verifyFindings(repo, 'main..w')).toEqual([])
  expect(await verifyFindings(repo, 'main..w', '--run-checks')).toEqual(['block criteria-met - in -'])
  const { stdout, stderr } = await repo.kotef('verify', 'main..w', '--run-checks')
  // What it prints is for the person who runs it.
  expect(stdout).toContain('ended with 3 (criteria-met)')
  expect(stdout).not.toMatch(/^ *no$/m)
  expect(stderr).toContain('$ test ! -e src/bad')
})

test('a range can not soften its own checks', async () => {
  await using repo = await checkedRepo()
  await runCommands(
    repo,
    `sed -i 's/exit 3/exit 0/' ${REGISTRY}; ${bypass('soften', 'Governance: why')}
    touch src/bad; ${bypass('bad', 'Intent-ID: INT-001')}`,
  )
  expect(await verifyFindings(repo, 'main..w', '--run-checks')).toEqual([
    `review governance-loosened ${REGISTRY} in soften`,
    'block criteria-met - in -',
  ])
})

test('checks prove nothing of what the worktree does not show', async () => {
  await using repo = await checkedRepo()
  await using other = await copyGoverned(repo)
  await runCommands(other, 'git switch -q --detach main')
  expect(await verifyFindings(other, 'main..w', '--run-checks')).toEqual(['exit 3: range-unknown'])
  await runCommands(other, 'git merge -q --no-ff --no-edit w')
  expect(await verifyFindings(other, 'main..w', '--run-checks')).toEqual([])
})

test('a check that changes a file says nothing: its pass is of other files', async () => {
  await using repo = await checkedRepo()
  await runCommands(
    repo,
    `git switch -q main; sed -i 's/test ! -e src.bad/date +%N >>src\\/made.ts/' ${REGISTRY}
    ${bypass('a check that writes', 'Governance: why')}; git switch -q w; git rebase -q main`,
  )
  const { code, stdout } = await repo.kotef('verify', 'main..w', '--run-checks')
  expect([code, stdout]).toEqual([1, expect.stringContaining('the files changed while it ran')])
})

test('a change of a file that a check names is for review, a new one is not', async () => {
  await using repo = await checkedRepo()
  await runCommands(
    repo,
    `git switch -q main; sed -i 's/test ! -e src.bad/test -f src\\/proof.sh/' ${REGISTRY}
    ${bypass('a check of a file', 'Governance: why')}; git switch -q w; git rebase -q main
    touch src/proof.sh; ${bypass('proof', 'Intent-ID: INT-001')}`,
  )
  expect(await verifyFindings(repo, 'main..w')).toEqual([])
  await runCommands(repo, `git tag made; echo true >src/proof.sh; ${bypass('weaker', 'Intent-ID: INT-001')}`)
  expect(await verifyFindings(repo, 'made..w')).toEqual(['review check-changed src/proof.sh in weaker'])
})

test('the commits of an intent that change more than is wanted are for review, all together', async () => {
  await using repo = await checkedRepo()
  const fields = 'appetite: Small, constraints: ["DO NOT change more than 1 file"]'
  const registry = `sed -i 's/name: n,/name: n, ${fields},/' ${REGISTRY}`
  const config = `printf 'version: 1\\nappetites: { Small: { lines: 3 } }\\n' >.orchestration/config.yaml`
  await runCommands(
    repo,
    `git switch -q main; ${registry}; ${config}; ${bypass('sizes', 'Governance: why')}
    git switch -q w; git rebase -q main; echo more >>src/b.ts; ${bypass('second', 'Intent-ID: INT-001')}`,
  )
  expect(await verifyFindings(repo, 'main..w')).toEqual(['review change-size - in -'])
  expect((await repo.kotef('verify', 'main..w')).stdout).toContain('changes 2 files, and at most 1 are wanted')
  await runCommands(repo, `seq 3 >>src/b.ts; ${bypass('third', 'Intent-ID: INT-001')}`)
  const { code, stdout } = await repo.kotef('verify', 'main..w')
  expect([code, stdout]).toEqual([0, expect.stringContaining('changes 5 lines, and at most 3 are wanted')])
})
