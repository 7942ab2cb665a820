import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runCli } from '../../rig/command-line.ts'
import { fixture } from '../../rig/fixture.ts'
import { hookedRepo } from '../../rig/hooked-repo.ts'
import { playOrThrow } from '../../rig/judged-repo.ts'
import { noteCommits } from '../../rig/noted-commits.ts'
import { recordAgentWrite } from '../../rig/recorded-write.ts'
import type { Repo } from '../../rig/repo.ts'
import { bypass } from '../../rig/verify-findings.ts'

const REGISTRY = '.orchestration/active_intents.yaml'
const CONFIG = '.orchestration/config.yaml'
const FOR_1 = 'Intent-ID: INT-001'
const HOSTILE_NAME = '<script>alert(1)</script> | `a` @octo [x](https://e.example) #1'
const HOSTILE_PATH = 'src/a|`b`<img src=x onerror=alert(1)>\n@octo.ts'
const HOSTILE_SUBJECT = '</details> ![x](https://e.example/x.png) www.e.example **bold** closes #1'

// `pr` has an intent of its own with work for it, by an agent whose lines are noted and by somebody unknown, a commit
// outside of every scope, and a weaker check. The other branches are what becomes of it.
const repo = fixture(async () => {
  const repo = await hookedRepo()
  const criteria = 'acceptance_criteria: [{ cmd: npm test }, "a person can pay"], constraints: ["no new dependency"]'
  const line = `  - { id: INT-009, name: payments, owned_scope: ["pay/**"], ${criteria} }`
  await playOrThrow(
    repo,
    `${HOOKLESS}; git switch -qc pr; echo '${line}' >>${REGISTRY}; ${bypass('add payments', 'Governance: wanted')}`,
  )
  await agentWrites(repo, 'src/a.ts', 'one\ntwo\n')
  await playOrThrow(repo, `mkdir pay; seq 5 >pay/refund.ts; ${bypass('pay and read', 'Intent-ID: INT-009', FOR_1)}`)
  await playOrThrow(
    repo,
    `echo x >>lib/x.ts; ${bypass('stray', FOR_1)}
    sed -i 's/{ cmd: npm test }, //' ${REGISTRY}; ${bypass('no check', 'Governance: it is slow')}
    git switch -q main; echo '# more' >>src/b.ts; ${bypass('meanwhile', FOR_1)}`,
  )
  const messages = `-m 'Payments (#1)' -m '* add payments' -m 'Governance: wanted' -m '* pay and read' \\
    -m 'Intent-ID: INT-009' -m '* stray' -m '${FOR_1}' -m --- -m 'Co-authored-by: A <a@b>'`
  await playOrThrow(
    repo,
    `git switch -qc squashed main; git merge -q --squash pr; git commit -q ${messages}
    git switch -qc rebased pr; git rebase -q main
    git switch -qc merged main; git merge -q --no-ff --no-commit pr; echo evil >>lib/x.ts; echo evil >>docs/b.md
    git add -A; git commit -qm 'Merge branch pr'`,
  )
  await hostileBranch(repo)
  const branches = ['pr', 'squashed', 'rebased', 'hostile']
  const noted = await repo.git('log', '--format=%H', '--grep=pay and read', '--grep=</details>', ...branches)
  await noteCommits(repo, noted.trim().split('\n'))
  await playOrThrow(repo, 'git switch -q main')
  return repo
})

const HOOKLESS = 'git config core.hooksPath /dev/null'

async function agentWrites(repo: Repo, path: string, added: string): Promise<void> {
  const before = await repo.read(path)
  await recordAgentWrite(repo, path, { before, added })
  await repo.write(path, before + added)
}

async function hostileBranch(repo: Repo): Promise<void> {
  await playOrThrow(repo, 'git switch -qc hostile main')
  const name = JSON.stringify(HOSTILE_NAME)
  const line = `  - { id: INT-010, name: ${name}, owned_scope: ["odd/**"], constraints: [${name}] }`
  await repo.write(REGISTRY, `${await repo.read(REGISTRY)}${line}\n`)
  await playOrThrow(repo, bypass('add', `Governance: ${HOSTILE_SUBJECT}`))
  await repo.write(HOSTILE_PATH, 'x\n')
  await repo.write(`lib/${HOSTILE_PATH}`, 'x\n')
  await playOrThrow(repo, bypass(HOSTILE_SUBJECT, 'Intent-ID: INT-010', FOR_1))
  await repo.write(CONFIG, `${await repo.read(CONFIG)}\n# ${HOSTILE_NAME}\n`)
  await playOrThrow(repo, bypass(`config ${HOSTILE_SUBJECT}`, 'Governance: x'))
}

const golden = (name: string) => join(import.meta.dirname, 'golden', name)

/** A report in which each commit has the number of its place. */
async function reportOf(range: string, format: string): Promise<string> {
  const { text, failure } = await runCli(repo(), 'report', range, '--format', format)
  if (failure) throw failure
  const oids = (await repo().git('log', '--topo-order', '--reverse', '--format=%H', '--all')).trim().split('\n')
  const named = (it: string, oid: string, n: number) =>
    it.replaceAll(oid, `<commit ${n}>`).replaceAll(oid.slice(0, 10), `<commit ${n}>`)
  return `${oids.reduce(named, text)}\n`
}

test.each([
  ['a branch as it was made', 'main..pr', 'branch.md'],
  ['its squash by a forge', 'main..squashed', 'squash.md'],
  ['its rebase', 'main..rebased', 'rebase.md'],
  ['a merge that adds what neither side has', 'main..merged', 'evil-merge.md'],
  ['texts with markup', 'main..hostile', 'hostile.md'],
])('the report in Markdown: %s', async (_, range, file) => {
  await expect(await reportOf(range, 'md')).toMatchFileSnapshot(golden(file))
})

test('the report in HTML: texts with markup', async () => {
  await expect(await reportOf('main..hostile', 'html')).toMatchFileSnapshot(golden('hostile.html.txt'))
})

test('the report in JSON: a branch as it was made', async () => {
  await expect(await reportOf('main..pr', 'json')).toMatchFileSnapshot(golden('branch.json.txt'))
})

test.each([
  ['a range that blocks', ['main..pr'], 1],
  ['a range that does not', ['main~1..main'], 0],
  ['an empty range', ['main..main'], 3],
  ['an empty range that may be', ['main..main', '--allow-empty'], 0],
  ['no such range', ['nothing..main'], 3],
  ['a pipeline that is none', ['--ci'], 3],
  ['two ranges', ['main..pr', '--ci'], 2],
  ['a comment without a pipeline', ['main..pr', '--comment'], 2],
  ['no such format', ['main..pr', '--format', 'pdf'], 2],
])('the exit code is that of verify: %s', async (_, words, exit) => {
  const { code } = await repo().kotef('report', ...words)
  expect(code).toBe(exit)
  if (exit !== 2) expect((await repo().kotef('verify', ...words)).code).toBe(exit)
})

test('with --json there is one document, whatever the format is', async () => {
  const { stdout } = await repo().kotef('report', 'main..pr', '--json')
  expect(JSON.parse(stdout)).toEqual(JSON.parse((await repo().kotef('report', 'main..pr', '--format', 'json')).stdout))
  const failed = await repo().kotef('report', 'nothing..main', '--json')
  expect(JSON.parse(failed.stdout)).toMatchObject({ error: { code: 'range-unknown' } })
})

test('a report changes nothing in the repository', async () => {
  const state = () => repo().git('for-each-ref')
  const before = [await state(), await repo().git('status', '--porcelain'), await repo().git('count-objects', '-v')]
  await repo().kotef('report', 'main..merged')
  expect([await state(), await repo().git('status', '--porcelain'), await repo().git('count-objects', '-v')]).toEqual(
    before,
  )
})
