import { expect, test } from 'vitest'
import { byteLines } from '../../src/core/base/lines.ts'
import { loadHasher } from '../../src/world/io/files/hasher.ts'
import { contentHash, lineHashes } from '../../src/core/ledger/content-hash.ts'
import { readLedger } from '../../src/core/ledger/read-ledger.ts'
import { schemaFaults } from '../../src/core/ledger/agent-trace.ts'
import { packedKotef } from '../rig/packed-kotef.ts'
import { type Repo, temporaryRepo } from '../rig/repo.ts'

async function npx(repo: Repo, ...words: string[]): Promise<string> {
  const { code, stdout, stderr } = await repo.run('npx', words)
  expect([words, code, stderr]).toEqual([words, 0, expect.any(String)])
  return stdout
}

// The machine's own HOME tells npm where the registry and its cache are; the sealed environment hides it.
async function install(repo: Repo): Promise<void> {
  await repo.write('package.json', '{ "name": "shop", "private": true }\n')
  const args = ['install', '--save-dev', '--prefer-offline', '--no-audit', '--no-fund', packedKotef().tarball]
  const { code, stderr } = await repo.run('npm', args, { env: { HOME: process.env['KOTEF_TEST_HOME'] ?? '' } })
  expect([code, stderr]).toEqual([0, expect.any(String)])
}

test('from the tarball, in an empty project: a write becomes a ledger line, and its commit says why', async () => {
  await using repo = await temporaryRepo()
  await install(repo)
  await npx(repo, 'kotef', 'init', '--yes')
  await npx(repo, 'kotef', 'intent', 'add', '--id', 'INT-001', '--name', 'The work', '--scope', 'src/**')
  await npx(repo, 'kotef', 'intent', 'start', 'INT-001')
  await npx(repo, 'kotef-watch', '--detach')
  const text = 'export const a = 1\nexport const b = 2\n'
  await repo.run('sh', ['-c', 'mkdir src && printf "$0" > src/a.ts', text])
  await npx(repo, 'kotef', 'flush')

  const { entries, problems } = readLedger(await repo.read('.orchestration/agent_trace.jsonl'))
  expect(problems).toEqual([])
  expect(entries.flatMap(it => schemaFaults(it.record))).toEqual([])
  const writes = entries.map(it => it.record).filter(it => it.metadata['dev.kotef'].event === 'write')
  const lines = byteLines(Buffer.from(text))
  const hasher = await loadHasher()
  await repo.git('add', 'src/a.ts')
  expect(await repo.git('diff', '--cached', '--unified=0', '--', 'src')).toContain('@@ -0,0 +1,2 @@')
  expect(writes.map(it => it.files)).toMatchObject([
    [
      {
        path: 'src/a.ts',
        relative_path: 'src/a.ts',
        conversations: [
          {
            ranges: [
              {
                start_line: 1,
                end_line: 2,
                content_hash: contentHash(hasher, lines),
                line_hashes: lineHashes(hasher, lines),
              },
            ],
            related: [{ type: 'intent', url: 'intent:INT-001', value: 'INT-001' }],
          },
        ],
      },
    ],
  ])

  await repo.git('commit', '--quiet', '-m', 'Add a')
  expect((await repo.git('log', '-1', '--format=%(trailers:key=Intent-ID,valueonly)')).trim()).toBe('INT-001')
  await repo.write('lib/x.ts', 'x\n')
  await repo.git('add', 'lib/x.ts')
  const refused = await repo.run('git', ['commit', '-m', 'Add x'])
  expect(refused).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/lib\/x\.ts is outside intent INT-001[^]*`git /),
  })
  expect(await repo.git('diff', '--cached', '--name-only')).toBe('lib/x.ts\n')
  await npx(repo, 'kotef', 'watch', '--stop')
})
