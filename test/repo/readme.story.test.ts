import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { packedKotef, repositoryRoot } from '../rig/packed-kotef.ts'
import { temporaryRepo } from '../rig/repo.ts'

const README = readFileSync(join(repositoryRoot, 'README.md'), 'utf8')
const [, FIRST_COMMANDS = ''] = /```sh\n([^]*?)\n```/.exec(README) ?? []

test('the first commands of the README run as they stand, and the first work after them (solo A12)', async () => {
  const dependency = JSON.stringify({ devDependencies: { 'kotef-watch': `file:${packedKotef().tarball}` } })
  await using repo = await temporaryRepo({ 'package.json': dependency, '.gitignore': 'node_modules\n' })
  const env = { HOME: process.env['KOTEF_TEST_HOME'] ?? '', npm_config_prefer_offline: 'true' }
  const adopted = await repo.run('sh', ['-ec', FIRST_COMMANDS], { env })
  expect([adopted.code, adopted.stderr]).toEqual([0, expect.any(String)])
  expect(FIRST_COMMANDS.split('\n')).toHaveLength(3)
  const work = `npx kotef intent start INT-001
    mkdir -p src/auth lib; echo a >src/auth/a; git add src; git commit -qm work
    git log -1 --format=%B; echo b >lib/b; git add lib; ! git commit -qm stray`
  const worked = await repo.run('sh', ['-ec', work], { env })
  expect([worked.code, worked.stdout]).toEqual([0, expect.stringContaining('Intent-ID: INT-001')])
  expect(worked.stderr).toContain('lib/b is outside intent INT-001')
})
