import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { errorSignature } from '../../src/core/runs/error-signature.ts'
import { repositoryRoot } from '../rig/packed-kotef.ts'
import { type Repo, temporaryRepo } from '../rig/repo.ts'

// A failure whose message has a port, a temporary path, a process id, a time and a random id.
const BODY = `const at = new Date().toISOString()
  const id = crypto.randomUUID()
  throw new Error('no answer from http://127.0.0.1:' + (20000 + process.pid % 30000) + ' at ' + at + ' for ' + id +
    ' in ' + os.tmpdir() + '/x-' + process.pid + ', pid ' + process.pid)`
const VITEST = `import os from 'node:os'\nimport { test } from 'vitest'\ntest('answers', () => {\n  ${BODY}\n})\n`
const NODE = VITEST.replace("'vitest'", "'node:test'")

const runners: [string, string, string, string[]][] = [
  ['node:test', 'a.test.mjs', NODE, ['node', '--test', 'a.test.mjs']],
  ['vitest', 'a.test.mjs', VITEST, ['node', 'node_modules/vitest/vitest.mjs', 'run', 'a.test.mjs']],
]

test.each(runners)('%s fails twice with one signature, and with another one when the line moves', async (...row) => {
  const [, file, text, [program = '', ...words]] = row
  await using repo = await temporaryRepo({ [file]: text })
  await symlink(join(repositoryRoot, 'node_modules'), join(repo.root, 'node_modules'))
  const signature = async (in_: Repo) => {
    const { code, stdout, stderr } = await in_.run(program, words)
    const output = `${stdout}${stderr}`
    expect([code, output.includes('no answer from')]).toEqual([1, true])
    return errorSignature('test', output, 'salt')
  }
  const first = await signature(repo)
  expect(await signature(repo)).toBe(first)
  await repo.write(file, `\n${text}`)
  expect(await signature(repo)).not.toBe(first)
})
