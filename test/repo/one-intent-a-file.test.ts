import { describe, expect, test } from 'vitest'
import { runCli } from '../rig/command-line.ts'
import { fixture } from '../rig/fixture.ts'
import { compileRepo, copyGoverned, hookedRepo, runCliOrThrow } from '../rig/hooked-repo.ts'
import { backdatePolicyFiles, copyWithSlowPathTrap, runTracingGit } from '../rig/slow-path.ts'

const LIST = '.orchestration/active_intents.yaml'
const FOLDER = '.orchestration/intents'
const fileOf = (id: string) => `${FOLDER}/${id}.yaml`

/** INT-001 to INT-005, each in a file of its own; INT-001 is started. */
const split = fixture(async () => {
  const repo = await hookedRepo({
    registry: `version: 1
active_intents:
  # auth, since spring
  - id: INT-001 # mine
    name: work
    owned_scope: ["src/**"]
    acceptance_criteria: [{ cmd: "true" }]
  - { id: INT-002, name: docs, owned_scope: ["docs/**"], depends_on: [INT-001] }
`,
  })
  await runCliOrThrow(repo, 'intent', 'split', '--commit')
  await runCliOrThrow(repo, 'intent', 'start', 'INT-001')
  return repo
})

describe('kotef intent split', () => {
  test('moves each intent and its comments into a file (team S6)', async () => {
    await using repo = await copyGoverned(split())
    expect(await repo.read(LIST)).toBe('version: 1\nactive_intents: []\n')
    expect(await repo.read(fileOf('INT-001'))).toBe(`# auth, since spring
id: INT-001 # mine
name: work
owned_scope: ["src/**"]
acceptance_criteria: [{ cmd: "true" }]
`)
    expect(await repo.read(fileOf('INT-002'))).toBe(
      'id: INT-002\nname: docs\nowned_scope: ["docs/**"]\ndepends_on: [INT-001]\n',
    )
    expect(await repo.git('status', '--porcelain')).toBe('')
    expect(await runCliOrThrow(repo, 'verify', 'HEAD~1..HEAD')).not.toContain('is new')
    expect(await runCliOrThrow(repo, 'intent', 'split')).toBe('The list has no intent to move.')
  })
})

describe('where each intent has a file', () => {
  test('an intent is added in a file, and edited, abandoned and committed there', async () => {
    await using repo = await copyGoverned(split())
    await runCliOrThrow(repo, 'intent', 'add', '--name', 'pay', '--scope', 'pay/**', '--commit')
    await runCliOrThrow(repo, 'intent', 'edit', 'INT-003', '--add-scope', 'lib/**', '--commit')
    await runCliOrThrow(repo, 'intent', 'abandon', 'INT-003', '--commit')
    expect(await repo.read(fileOf('INT-003'))).toMatch(/^id: INT-003\nname: pay\nstatus: ABANDONED\nowned_scope:\n/)
    expect(await repo.git('diff', '--name-only', 'HEAD~3')).toBe(`${fileOf('INT-003')}\n`)
    expect(await runCliOrThrow(repo, 'intent', 'list', '--format', 'yaml')).toContain('  - id: INT-003\n    name: pay')
    const standing = ['--standing', '--name', 'chores', '--scope', 'README*']
    expect(await runCliOrThrow(repo, 'intent', 'add', ...standing)).toContain('Added CHORE-001: chores')
    const { stdout } = await repo.kotef('trace', '--limit', '1')
    expect(stdout).toContain('intent-added CHORE-001') // Its file comes before those of the others.
    const taken = await runCli(repo, 'intent', 'add', '--id', 'INT-003', '--name', 'twice')
    expect(taken.failure?.message).toContain(`already: ${fileOf('INT-003')}`)
  })

  test('commits are judged by the files, at HEAD and in a range', async () => {
    await using repo = await copyGoverned(split())
    expect(await repo.play('echo x >src/a.ts; git commit -qam work')).toMatchObject({ code: 0 })
    expect((await repo.play('echo y >lib/x.ts; git commit -qam lib')).stderr).toContain('outside')
    await repo.git('-c', 'core.hooksPath=/dev/null', 'commit', '-qam', 'lib\n\nIntent-ID: INT-001')
    expect((await runCli(repo, 'verify', 'HEAD~2..HEAD')).text).toContain('lib/x.ts')
  })

  test('a wider scope in a file is a governance change, and seen in a range', async () => {
    await using repo = await copyGoverned(split())
    await repo.play(`sed -i 's#"src/[*][*]"#"src/**", "lib/**"#' ${fileOf('INT-001')}`)
    expect((await repo.play('git commit -qam wide')).stderr).toContain(fileOf('INT-001'))
    await repo.git('commit', '-qam', 'wide\n\nGovernance: wider')
    expect((await runCli(repo, 'verify', 'HEAD~1..HEAD')).text).toContain('INT-001 may touch more: lib/**')
  })

  test('moving an intent to another file does not hide a wider scope', async () => {
    await using repo = await copyGoverned(split())
    const text = await repo.read(fileOf('INT-002'))
    await repo.write(LIST, `version: 1\nactive_intents:\n  - { id: INT-002, name: docs, owned_scope: ["**"] }\n`)
    await repo.git('rm', '-q', fileOf('INT-002'))
    await repo.git('commit', '-qam', `move\n\nGovernance: ${text.length} bytes`)
    expect((await runCli(repo, 'verify', 'HEAD~1..HEAD')).text).toContain('INT-002 may touch more: **')
  })

  test.each([
    ['an id that is not the name of the file', 'id: INT-009\nname: x\n', `${fileOf('INT-007')}:1: expected the id`],
    ['an id twice', 'id: INT-007\nname: x\n', `${fileOf('INT-007')}:1: expected an id of its own`],
    ['an unknown key', 'id: INT-007\nname: x\ncolour: red\n', `${fileOf('INT-007')}:3: expected a known key`],
  ])('%s is refused with file and line', async (what, text, message) => {
    await using repo = await copyGoverned(split())
    if (what === 'an id twice')
      await repo.write(LIST, 'active_intents:\n  - { id: INT-007, name: x, owned_scope: [] }\n')
    await repo.write(fileOf('INT-007'), text)
    expect((await runCli(repo, 'intent', 'list')).failure?.message).toContain(message)
  })

  test('the fast path stays open, and closes when a file of an intent changes', async () => {
    await using repo = await copyWithSlowPathTrap(split())
    await backdatePolicyFiles(repo)
    await repo.play(`touch -d '1 hour ago' ${FOLDER}/*`)
    expect(await compileRepo(repo)).toBe(true)
    const commit = () => runTracingGit(repo, 'echo x >>src/a.ts; git commit -qam w')
    expect(await commit()).toMatchObject({ stderr: '', calls: ['commit', 'diff-index'] })
    for (const change of [
      `touch ${fileOf('INT-002')}`,
      `cp -p ${fileOf('INT-002')} ${fileOf('INT-000')}`,
      `rm ${fileOf('INT-002')}`,
      `cp -p ${fileOf('INT-001')} x; mv x ${fileOf('INT-001')}`,
    ]) {
      await repo.play(change)
      expect((await commit()).stderr, change).toContain('takes the long way')
      await repo.play(`git checkout -q HEAD -- ${FOLDER}; git clean -fdq ${FOLDER}; touch -d '1 hour ago' ${FOLDER}/*`)
      expect(await compileRepo(repo)).toBe(true)
    }
  })
})

test('kotef init --team makes the folder', async () => {
  await using repo = await hookedRepo()
  await runCliOrThrow(repo, 'init', '--yes', '--team')
  await runCliOrThrow(repo, 'intent', 'add', '--name', 'pay')
  expect(await repo.read(fileOf('INT-006'))).toContain('name: pay')
})
