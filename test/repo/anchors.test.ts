import { expect, test } from 'vitest'
import { anchorText } from '../../src/core/ledger/anchors.ts'
import { parseChainHead } from '../../src/core/ledger/chain.ts'
import type { Finding } from '../../src/core/base/finding.ts'
import { runCli } from '../rig/command-line.ts'
import { hookedRepo, runCliOrThrow } from '../rig/hooked-repo.ts'
import { recordAgentWrite } from '../rig/recorded-write.ts'
import type { Repo } from '../rig/repo.ts'

const LEDGER = '.orchestration/agent_trace.jsonl'
const HEAD = '.git/kotef/head.json'

const anchorNow = async (repo: Repo) => anchorText(parseChainHead(await repo.read(HEAD))!)
const traceTrailers = async (repo: Repo) =>
  (await repo.git('log', '-1', '--format=%(trailers:key=Trace,valueonly)')).trim()
const problems = async (repo: Repo) => {
  const { json } = await runCli(repo, 'trace', 'verify')
  return (json as { findings: Finding[] }).findings.map(it => `${it.rule}: ${it.message}`)
}

/** Removes the last records, and makes the saved head fit. */
async function cutEnd(repo: Repo, records: number): Promise<void> {
  const lines = (await repo.read(LEDGER)).split('\n').slice(0, -1 - records)
  await repo.write(LEDGER, `${lines.join('\n')}\n`)
  const { metadata } = JSON.parse(lines.at(-1) ?? '') as { metadata: { 'dev.kotef': object } }
  await repo.write(HEAD, JSON.stringify(metadata['dev.kotef']).replace(/.*("writer".*)/, '{$1'))
}

test('with `anchor: trailer` each commit has the head of the ledger, and a missing end shows by it', async () => {
  await using repo = await hookedRepo()
  await repo.write('.orchestration/config.yaml', 'version: 1\nanchor: trailer\n')
  await repo.git('commit', '-qam', 'anchors', '-m', 'Governance: anchors')
  await runCliOrThrow(repo, 'status')
  await repo.write('src/a.ts', 'const a = 1\n')
  const anchor = await anchorNow(repo)
  await repo.git('commit', '-qam', 'work')
  expect(await traceTrailers(repo)).toBe(anchor)
  await repo.git('commit', '-q', '--amend', '-m', 'work, amended')
  expect(await repo.git('log', '-1', '--format=%(trailers:key=Intent-ID,valueonly)')).toContain('INT-001')
  const amended = await traceTrailers(repo)
  await repo.git('commit', '-q', '--amend', '--no-edit')
  expect(await traceTrailers(repo)).toBe(amended)
  expect(await problems(repo)).toEqual([])
  await repo.git('update-ref', '-d', 'refs/notes/kotef')
  const [, seq = ''] = amended.split('/')
  const { length } = (await repo.read(LEDGER)).trimEnd().split('\n')
  await cutEnd(repo, length - Number(seq))
  expect(await problems(repo)).toEqual([expect.stringMatching(/^ledger-truncated: .*names records \d+ to \d+\.$/)])
})

test('without, no commit has one, and the head in a note shows it', async () => {
  await using repo = await hookedRepo()
  const before = await repo.read('src/a.ts')
  await recordAgentWrite(repo, 'src/a.ts', { before, added: 'const added = 1\n' })
  await repo.write('src/a.ts', `${before}const added = 1\n`)
  await repo.git('commit', '-qam', 'work')
  expect(await traceTrailers(repo)).toBe('')
  await runCliOrThrow(repo, 'finalise')
  expect(await problems(repo)).toEqual([])
  await cutEnd(repo, 1)
  expect(await problems(repo)).toEqual([expect.stringMatching(/^ledger-truncated: .* commit .* names records/)])
})
