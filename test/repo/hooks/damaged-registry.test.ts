import { lstat, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { fixture } from '../../rig/fixture.ts'
import { runCli } from '../../rig/command-line.ts'
import { copyGoverned, hookedRepo } from '../../rig/hooked-repo.ts'
import type { Repo } from '../../rig/repo.ts'

const template = fixture(hookedRepo)

const REGISTRY = '.orchestration/active_intents.yaml'
const SOUND = '{ id: INT-001, name: work, status: IN_PROGRESS, owned_scope: ["src/**"] }'
const at = (line: number, expected: string, found: string) =>
  `${REGISTRY}:${line}: expected ${expected}, found ${found}`

// What the registry is made into, and every line that tells of it.
const DAMAGES: readonly (readonly [what: string, commands: string, reported: readonly string[]])[] = [
  ['unparsable YAML', "echo 'active_intents: [' >$R", [`${REGISTRY}:2: expected valid YAML, found`]],
  ['nothing in it', ': >$R', [`${REGISTRY}: expected`]],
  [
    'a duplicate id',
    `printf 'active_intents:\\n- %s\\n- %s\\n' '${SOUND}' '${SOUND}' >$R`,
    [at(3, 'an id of its own, because an earlier intent is INT-001', '"INT-001"')],
  ],
  [
    'an unknown status',
    "sed -i 's/PENDING/DONE/' $R",
    [at(5, 'one of PENDING, IN_PROGRESS, BLOCKED, COMPLETED, ABANDONED as `status`', '"DONE"')],
  ],
  [
    'an unknown key',
    'echo "colour: red" >>$R',
    [at(8, 'only `version` and `active_intents`', 'the unknown key `colour`')],
  ],
  [
    'four things wrong',
    "sed -i -e '3s/src/../' -e '4s/IN_PROGRESS/OPEN/' -e '5s/INT-003/x/' -e '6s/name/nmae/' $R",
    [`${REGISTRY}:3: `, `${REGISTRY}:4: `, `${REGISTRY}:5: `, `${REGISTRY}:6: `],
  ],
  ['no registry at all', 'rm $R', [`There is no ${REGISTRY}.`]],
  ['a directory in its place', 'rm $R; mkdir $R', ['it is a directory']],
  ['a circle of links in its place', 'ln -sf active_intents.yaml $R', ['it is a symbolic link in a circle']],
  [
    'a circle of links in its place, and nothing compiled',
    'ln -sf active_intents.yaml $R; rm -r .git/kotef/compiled',
    ['it is a symbolic link in a circle'],
  ],
  ['bytes that are no text', "printf '# \\351\\n' >>$R", ['is not UTF-8 text']],
]

async function damaged(commands: string): Promise<Repo> {
  const repo = await copyGoverned(template())
  await repo.run('sh', ['-c', `echo x >>src/a.ts; git add src; ${commands.replaceAll('$R', REGISTRY)}`])
  return repo
}

describe('under a registry with', () => {
  test.concurrent.each(DAMAGES)('%s, a commit is refused with every problem, and nothing is lost', async (...row) => {
    const [, commands, reported] = row
    await using repo = await damaged(commands)
    const before = await everything(repo)
    const { code, stderr } = await repo.run('git', ['commit', '--quiet', '-m', 'w'])
    expect({ code, first: stderr.split('\n')[0] }).toEqual({
      code: 1,
      first: "kotef: commit stopped, it can't be judged.",
    })
    expect(
      reported.filter(line => !stderr.includes(line)),
      stderr,
    ).toEqual([])
    expect(stderr).not.toMatch(/^\s+at /m)
    expect(await everything(repo)).toEqual(before)
  })

  test.concurrent.each(DAMAGES)(
    '%s, neither init nor a look around puts anything in its place',
    async (_, commands) => {
      await using repo = await damaged(commands)
      const before = await everything(repo)
      for (const verb of ['status', 'doctor', 'log', 'trace']) {
        const { text, exit } = await runCli(repo, verb)
        expect([verb, exit === 70, /^\s+at /m.test(text)]).toEqual([verb, false, false])
      }
      if (!commands.startsWith('rm $R') || commands.includes('mkdir'))
        expect((await runCli(repo, 'init', '--yes')).exit).not.toBe(0)
      expect(await everything(repo)).toEqual(before)
    },
  )
})

/** The index, the staged file, the registry as it lies there, and the history. */
async function everything(repo: Repo): Promise<unknown> {
  const path = join(repo.root, REGISTRY)
  const kind = await lstat(path).then(
    it => it.mode,
    () => 'none',
  )
  const bytes = await readFile(path, 'latin1').catch(() => 'none')
  return [
    kind,
    bytes,
    await repo.read('src/a.ts'),
    await repo.git('ls-files', '--stage'),
    await repo.git('rev-parse', 'HEAD'),
  ]
}
