import { describe, expect, test } from 'vitest'
import { runCli } from '../rig/command-line.ts'
import { flushedRecords, startWatching } from '../rig/governed-repo.ts'
import { hookedRepo } from '../rig/hooked-repo.ts'
import { selectOrThrow } from '../rig/selection.ts'
import { answeredClaude, selectedRepo } from '../rig/session-runs.ts'
import { verifyFindings } from '../rig/verify-findings.ts'

const REGISTRY = `version: 1
active_intents:
  - id: INT-001
    name: work
    owned_scope: ["src/**", package.json]
    constraints:
      - "DO NOT touch \`src/secret/**\` or \`src/keys/**\`"
      - "MUST NOT run \`npm publish\`"
      - "DO NOT add new dependencies"
      - "Never run \`docker\`"
      - "DO NOT rename \`src/a.ts\`"
  - { id: INT-002, name: keys, owned_scope: ["src/keys/**", "infra/**"] }
`
const PROJECT = '# Policy\n\n- Never edit anything under `infra/`\n'
const MANIFEST = (...names: string[]) =>
  `${JSON.stringify({ name: 's', dependencies: Object.fromEntries(names.map(it => [it, '1'])) })}\n`

async function constrainedRepo() {
  const repo = await hookedRepo({ registry: REGISTRY })
  await repo.write('.sdd/KOTEF.md', PROJECT)
  await repo.git('add', '--all')
  await repo.git('commit', '-qm', 'policy', '-m', 'Governance: policy')
  return repo
}

describe('an agent', () => {
  test.each<
    [what: string, call: (agent: ReturnType<typeof answeredClaude>) => Promise<string>, code: string, says: string]
  >([
    ['writes', it => it.writes('src/secret/k.ts', 'x\n'), 'constraint-path', 'INT-001 says: DO NOT touch'],
    ['runs', it => it.runs('cd src && npm publish'), 'constraint-command', 'INT-001 says: MUST NOT run `npm publish`'],
    ['reads', it => it.runs('cat a | docker ps'), 'constraint-command', 'INT-001 says: Never run `docker`'],
    ['installs', it => it.runs('npm i left-pad'), 'constraint-command', 'INT-001 says: DO NOT add new dependencies'],
  ])('that %s what a constraint forbids is refused, and its run ends at once', async (_, call, code, says) => {
    await using repo = await selectedRepo(REGISTRY)
    const agent = answeredClaude(repo)
    const refusal = JSON.parse(await call(agent))
    expect(refusal).toMatchObject({ error_type: code, intent: 'INT-001', message: expect.stringContaining(says) })
    expect((await runCli(repo, 'runs', 'list')).text).toMatch(/stopped, a constraint.*\(hard-constraint\)/)
    expect(JSON.parse(await agent.writes('src/a.ts', 'x\n'))).toMatchObject({ error_type: 'run-stopped' })
    expect(await repo.read('.sdd/issues.md')).toContain(`Constraint: hard-constraint: ${code}`)
    await agent.say('UserPromptSubmit', { prompt: 'go on' })
    expect(await agent.writes('src/a.ts', 'x\n')).toBe('')
  })
})

test('what a command wrote against a constraint is seen when it has run, and ends the run', async () => {
  await using repo = await selectedRepo(REGISTRY)
  const agent = answeredClaude(repo)
  const call = { tool_name: 'Bash', tool_input: { command: 'make' }, tool_use_id: 'm' }
  expect(await agent.say('PreToolUse', call)).toBe('')
  await repo.write('src/secret/k.ts', 'x\n')
  const said = await agent.say('PostToolUse', {
    ...call,
    tool_response: { stdout: '', stderr: '', interrupted: false },
  })
  expect(JSON.parse(said)).toMatchObject({ error_type: 'constraint-path', path: 'src/secret/k.ts' })
  expect((await runCli(repo, 'runs', 'list')).text).toMatch(/stopped, a constraint.*constraint-path src\/secret\/k\.ts/)
})

test('a commit of an agent that adds a dependency is stopped, and ends its run', async () => {
  await using repo = await selectedRepo(REGISTRY)
  const agent = answeredClaude(repo)
  await agent.writes('package.json', MANIFEST('left-pad'))
  await repo.git('add', 'package.json')
  const commit = await repo.run('git', ['commit', '-m', 'pad'], { env: { KOTEF_SESSION: 's' } })
  expect([commit.code, commit.stderr]).toEqual([1, expect.stringContaining('adds the dependency left-pad')])
  expect((await runCli(repo, 'runs', 'list')).text).toMatch(/stopped, a constraint.*constraint-dependency package.json/)
  expect(JSON.parse(await agent.writes('src/a.ts', 'x\n'))).toMatchObject({ error_type: 'run-stopped' })
})

test('a commit that takes in what another agent wrote is stopped, and the run of its agent goes on', async () => {
  await using repo = await selectedRepo(REGISTRY)
  await selectOrThrow(repo, { session: 't', intent: 'INT-002' })
  await using _daemon = await startWatching(repo)
  const other = answeredClaude(repo, 't')
  expect(await other.writes('src/keys/k.ts', 'x\n')).toBe('')
  await flushedRecords(repo)
  await repo.git('add', '--all')
  const commit = await repo.run('git', ['commit', '-m', 'all'], { env: { KOTEF_SESSION: 's' } })
  expect([commit.code, commit.stderr]).toEqual([1, expect.stringContaining('src/keys/k.ts may not be changed')])
  expect((await runCli(repo, 'runs', 'list')).text).toMatch(/^s +INT-001 +running/m)
})

test('a person commits no path that a constraint closes, and no new dependency', async () => {
  await using repo = await constrainedRepo()
  await repo.write('src/secret/k.ts', 'x\n')
  await repo.write('infra/x', 'x\n')
  await repo.git('add', '--all')
  const both = await repo.run('git', ['commit', '-m', 'both'])
  expect(both.code).toBe(1)
  expect(both.stderr).toContain('infra/x may not be changed: .sdd/KOTEF.md says: Never edit anything under `infra/`\n')
  await repo.git('reset', '-q', 'infra')
  const one = await repo.run('git', ['commit', '-m', 'one'])
  expect(one.stderr).toContain(
    '  block  src/secret/k.ts may not be changed: INT-001 says: DO NOT touch `src/secret/**` or `src/keys/**`\n' +
      '         Unstage it: `git restore --staged src/secret/k.ts`. Only a person changes the constraint.\n',
  )
  await repo.git('reset', '-q')
  await repo.write('src/keys/k.ts', 'x\n')
  await repo.git('add', 'src/keys')
  expect((await repo.run('git', ['commit', '-m', 'keys', '-m', 'Intent-ID: INT-001'])).code).toBe(1)
  expect((await repo.run('git', ['commit', '-m', 'keys', '-m', 'Intent-ID: INT-002'])).code).toBe(0)
  await repo.write('package.json', MANIFEST('left-pad'))
  await repo.git('add', '--all', 'package.json')
  const added = await repo.run('git', ['commit', '-m', 'pad', '-m', 'Intent-ID: INT-001'])
  expect(added.stderr).toContain(
    'package.json adds the dependency left-pad: INT-001 says: DO NOT add new dependencies\n',
  )
  await repo.write('package.json', MANIFEST())
  await repo.git('add', '--all', 'package.json')
  expect((await repo.run('git', ['commit', '-m', 'none', '-m', 'Intent-ID: INT-001'])).code).toBe(0)
})

test('verify blocks what no hook has stopped, and the constraint that was taken out in the same range', async () => {
  await using repo = await constrainedRepo()
  const commit = (...more: string[]) => repo.git('commit', '-q', '--no-verify', ...more)
  await repo.git('branch', 'base')
  await repo.write('src/secret/k.ts', 'x\n')
  await repo.write('package.json', MANIFEST('left-pad'))
  await repo.git('add', '--all')
  await commit('-m', 'x', '-m', 'Intent-ID: INT-001')
  const found = await runCli(repo, 'verify', 'base..HEAD')
  expect(found.exit).toBe(1)
  expect(found.text).toContain(
    'src/secret/k.ts may not be changed: INT-001 says: DO NOT touch `src/secret/**` or `src/keys/**` (constraint-path)',
  )
  expect(found.text).toContain(
    'package.json adds the dependency left-pad: INT-001 says: DO NOT add new dependencies (constraint-dependency)',
  )
  await repo.git('reset', '-q', '--hard', 'base')
  await repo.write('.orchestration/active_intents.yaml', REGISTRY.replace(/    constraints:\n(?: {6}.*\n)+/, ''))
  await repo.git('add', '--all')
  await commit('-m', 'allow', '-m', 'Governance: allow')
  await repo.write('src/secret/k.ts', 'x\n')
  await repo.git('add', '--all')
  await commit('-m', 'x', '-m', 'Intent-ID: INT-001')
  const loosened = await runCli(repo, 'verify', 'base..HEAD')
  expect([loosened.exit, loosened.text]).toEqual([1, expect.stringContaining('(policy-in-range)')])
})

test('what was committed past the hooks against a constraint may be taken back, and is listed for review', async () => {
  await using repo = await constrainedRepo()
  await repo.write('src/secret/k.ts', 'x\n')
  await repo.write('infra/main.tf', 'x\n')
  await repo.git('add', '--all')
  await repo.git('-c', 'core.hooksPath=/dev/null', 'commit', '-qm', 'bad', '-m', 'Intent-ID: INT-001')
  await repo.git('revert', '--no-edit', 'HEAD')
  expect((await verifyFindings(repo, 'HEAD^..HEAD')).sort()).toEqual([
    'review constraint-path infra/main.tf in Revert "bad"',
    'review constraint-path src/secret/k.ts in Revert "bad"',
  ])
})

test('the contract shows what is checked, and what is advice', async () => {
  await using repo = await constrainedRepo()
  const { text } = await runCli(repo, 'contract', 'INT-001')
  expect(text).toContain(
    'DO NOT touch `src/secret/**` or `src/keys/**`  [checked: writes to src/secret/**, src/keys/**]',
  )
  expect(text).toContain('DO NOT rename `src/a.ts`  [advice]')
  expect(text).toContain('Never edit anything under `infra/`  [checked: writes to infra/]  (.sdd/KOTEF.md:3)')
})
