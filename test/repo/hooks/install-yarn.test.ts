import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { folderContents, freshRepo, GOVERNED_VERDICTS, commitVerdicts } from '../../rig/installation.ts'
import { npmPackages } from '../../rig/npm-packages.ts'
import { packedKotef } from '../../rig/packed-kotef.ts'
import type { Repo } from '../../rig/repo.ts'

const PROJECT = {
  '.yarnrc.yml': 'nodeLinker: pnp\nenableTelemetry: false\n',
  'package.json': '{ "name": "shop", "private": true }\n',
  'yarn.lock': '',
}

/** Runs Yarn, which must succeed. It asks the registry that npm asks, and keeps what it fetched in the rig. */
function yarnIn(repo: Repo): (...words: string[]) => Promise<void> {
  const { KOTEF_TEST_HOME, KOTEF_TEST_CA_CERTS } = process.env
  const npm = { ...process.env, HOME: KOTEF_TEST_HOME ?? '' }
  const env = {
    YARN_GLOBAL_FOLDER: join(repo.base, 'yarn'),
    YARN_NPM_REGISTRY_SERVER: execFileSync('npm', ['config', 'get', 'registry'], { env: npm, stdio: 'pipe' })
      .toString()
      .trim()
      .replace(/\/$/, ''),
    NODE_EXTRA_CA_CERTS: KOTEF_TEST_CA_CERTS ?? '',
  }
  const program = join(npmPackages('@yarnpkg/cli-dist@4.18.1'), '@yarnpkg/cli-dist/bin/yarn.js')
  return async (...words) => {
    const { code, stdout, stderr } = await repo.run('node', [program, ...words], { env })
    expect(code, `yarn ${words.join(' ')}:\n${stdout}${stderr}`).toBe(0)
  }
}

test("under Yarn's Plug'n'Play kotef is set up, judges, and leaves nothing half-written behind", async () => {
  await using repo = await freshRepo(PROJECT)
  const yarn = yarnIn(repo)
  await yarn('add', '--dev', `kotef-watch@file:${packedKotef().tarball}`)
  await yarn('kotef', 'init', '--yes')
  await yarn('kotef', 'intent', 'add', '--id', 'INT-001', '--name', 'w', '--scope', 'src.ts')
  await repo.git('add', '--all')
  await repo.git('commit', '-qm', 'adopt', '-m', 'Governance: adopt')
  await yarn('kotef', 'intent', 'start', 'INT-001')
  expect(await commitVerdicts(repo)).toEqual(GOVERNED_VERDICTS)
  await yarn('kotef', 'status')
  const left = Object.keys(await folderContents(repo.root)).filter(it => /\.tmp$|\.kotef-new$/.test(it))
  expect(left).toEqual([])
})
