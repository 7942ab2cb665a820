import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { fixture } from '../../rig/fixture.ts'
import { copyGoverned, hookedRepo, runCliOrThrow } from '../../rig/hooked-repo.ts'
import type { Repo } from '../../rig/repo.ts'

const IDS = Array.from({ length: 12 }, (_, n) => `INT-0${n + 11}`)
const FOLDER = '.orchestration/intents'
const ANSWER = '.git/kotef/compiled/only-transitions'

/** Twelve intents, each in a file of its own; the last one is started. */
const split = fixture(async () => {
  const listed = IDS.map(it => `  - { id: ${it}, name: work, owned_scope: ["${it}/**"] }\n`)
  const repo = await hookedRepo({ registry: `version: 1\nactive_intents:\n${listed.join('')}`, start: null })
  await runCliOrThrow(repo, 'intent', 'split', '--commit')
  await runCliOrThrow(repo, 'intent', 'start', 'INT-022')
  return repo
})

/** Runs a command; its outcome, and the arguments of each Node process that ran under it. */
async function runCountingNode(repo: Repo, command: string) {
  const log = join(repo.base, 'node-log')
  const wrapper = join(repo.base, 'counted-node')
  await writeFile(
    `${log}.cjs`,
    `require('fs').appendFileSync('${log}', process.argv.slice(1).join(' ').replace(/[^ ]*\\//g, '') + '\\n')`,
  )
  const node = `NODE_OPTIONS='--require ${log}.cjs' exec '${process.execPath}' "$@"`
  await writeFile(wrapper, `#!/bin/sh\n${node}\n`, { mode: 0o755 })
  await writeFile(join(repo.root, '.git/kotef/node'), `${wrapper}\n`)
  const outcome = await repo.run('sh', ['-c', `: >'${log}'; ${command}`])
  return { ...outcome, started: (await readFile(log, 'utf8')).split('\n').slice(0, -1) }
}

const moved = (ids: readonly string[]) =>
  `for it in ${ids.join(' ')}; do echo 'status: BLOCKED' >>${FOLDER}/$it.yaml; done; git add ${FOLDER}`

const COMMIT = "git commit -qm move -m 'Governance: why'"
const THREE = [
  'hook.cjs pre-commit',
  'hook.cjs prepare-commit-msg COMMIT_EDITMSG message',
  'hook.cjs commit-msg COMMIT_EDITMSG',
]

describe('each hook of a commit is one Node process', () => {
  test.each([
    ['one intent moves', moved(IDS.slice(0, 1))],
    ['twelve intents move', moved(IDS)],
    ['scopes change', `sed -i 's/work/else/' ${FOLDER}/*.yaml; git add ${FOLDER}`],
    ['the config changes', "echo '# x' >>.orchestration/config.yaml; git add .orchestration"],
  ])('%s', async (_, change) => {
    await using repo = await copyGoverned(split())
    expect(await runCountingNode(repo, `${change}; ${COMMIT}`)).toEqual({
      ...{ code: 0, stdout: '', stderr: '' },
      started: THREE,
    })
  })
})

describe('what the first hook has found about the registry', () => {
  const widened = `sed -i 's/INT-011\\/\\*\\*/**/' ${FOLDER}/INT-011.yaml; git add ${FOLDER}`
  const refused = { code: 1, stderr: expect.stringContaining('belongs to no intent') }

  test('is kept for the others', async () => {
    await using repo = await copyGoverned(split())
    await repo.play(`${moved(IDS)}; ${COMMIT}`)
    expect(await repo.read(ANSWER)).toMatch(
      /^(\["[\d.]+",\[.*"after":\{"mode":"100644","oid":"[0-9a-f]{40}"\}\}\],true\]\n)\1$/,
    )
    expect((await repo.play(`stat -c %a ${ANSWER}`)).stdout).toBe('600\n')
  })

  test('is not believed when it is damaged, of other objects or another kotef, or open to others', async () => {
    await using repo = await copyGoverned(split())
    await repo.play(`${widened}; git commit -qm wider || :`)
    for (const damage of [
      'sed -i s/oid/id/',
      `sed -i '1s/"[^"]*"/"0.0.9"/'`,
      `sed -i 's/$/ /'`,
      `sed -i '1s/,true]$/,false]/'`,
      `sed -i '2s/,true]$/,false]/'`,
      'sed -i 2d',
      'chmod 666',
      `cp ${ANSWER} ../it; ln -sf "$PWD/../it"`,
    ]) {
      await repo.play(
        `chmod 600 ${ANSWER}; sed -i 's/,false]$/,true]/' ${ANSWER}; grep true ${ANSWER}; ${damage} ${ANSWER}`,
      )
      expect(await repo.run('git', ['commit', '-qm', 'wider']), damage).toMatchObject(refused)
    }
  })

  test('does not hold a commit up when a pipe is in its place', async () => {
    await using repo = await copyGoverned(split())
    await repo.play(`mkdir -p .git/kotef/compiled; rm -f ${ANSWER}; mkfifo ${ANSWER}`)
    expect(await runCountingNode(repo, `${widened}; git commit -qm wider`)).toMatchObject(refused)
    expect(await runCountingNode(repo, `git reset -q --hard; ${moved(IDS)}; ${COMMIT}`)).toMatchObject({
      code: 0,
    })
  })
})
