import { cp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { packedKotef } from '../rig/packed-kotef.ts'
import type { Repo } from '../rig/repo.ts'
import { bindSession } from '../rig/agent-gate.ts'
import { hookedRepo } from '../rig/hooked-repo.ts'
import { switchRunsOff, unselectedRepo } from '../rig/selection.ts'

const PROGRAM = 'dist/agent-hook.cjs'
const KEPT = `${PROGRAM}.${process.version}-${process.arch}.v8`
const HEAD_BYTES = 1_024

/** A repository whose session has an intent, and an own copy of the package beside it. */
async function copied(): Promise<{ repo: Repo; at: (name: string) => string }> {
  const repo = await unselectedRepo()
  await switchRunsOff(repo)
  await bindSession(repo)
  const at = (name: string): string => join(repo.base, 'kotef', name)
  await cp(packedKotef().root, at(''), { recursive: true, filter: it => !it.includes('.v8') })
  return { repo, at }
}

async function answer(repo: Repo, main: string, tool = 'Write'): Promise<string> {
  const payload = { session_id: 's', hook_event_name: 'PreToolUse', tool_name: tool, tool_input: { file_path: 'x' } }
  const { code, stdout, stderr } = await repo.run('node', [main, 'agent-hook', 'claude'], {
    input: JSON.stringify(payload),
  })
  expect([code, stderr]).toEqual([0, ''])
  return stdout
}

test('what V8 compiled for a judgement is kept, and the next one goes by it', async () => {
  const { repo: made, at } = await copied()
  await using repo = made
  const main = at('dist/main.cjs')
  await answer(repo, main, 'Read')
  await expect(stat(at(KEPT))).rejects.toThrow('ENOENT')
  const first = await answer(repo, main)
  expect(first).toContain('Scope Violation')
  const { mtimeMs, mode } = await stat(at(KEPT))
  expect(mode & 0o777).toBe(0o600)
  expect(await answer(repo, main)).toBe(first)
  expect((await stat(at(KEPT))).mtimeMs).toBe(mtimeMs)
})

test('whatever stands in its place, the answer is the same, and it is kept anew', async () => {
  const { repo: made, at } = await copied()
  await using repo = made
  const main = at('dist/main.cjs')
  const first = await answer(repo, main)
  const kept = await readFile(at(KEPT))
  const flipped = (n: number): Buffer => Buffer.from(kept.map((it, i) => (i === n ? it ^ 0xff : it)))
  const damaged = [Buffer.alloc(0), kept.subarray(0, 5_000), Buffer.alloc(kept.length), flipped(10), flipped(9_000)]
  for (const it of [...damaged, flipped(kept.length - 9)]) {
    await writeFile(at(KEPT), it)
    expect(await answer(repo, main)).toBe(first)
    const now = await readFile(at(KEPT))
    const middle = (now.length + HEAD_BYTES) / 2
    expect(now.subarray(0, HEAD_BYTES)).toEqual(kept.subarray(0, HEAD_BYTES))
    expect(now.subarray(HEAD_BYTES, middle).equals(now.subarray(middle))).toBe(true)
  }
  await rm(at(KEPT))
  await repo.play(`mkdir ../kotef/${KEPT}`)
  expect(await answer(repo, main)).toBe(first)
  // Besides, the part that looks at what git ignores is kept: the call is refused only after that look.
  const names = ['agent-hook', 'free-targets'].map(it => KEPT.slice('dist/'.length).replace('agent-hook', it))
  expect((await repo.play(`ls ../kotef/dist | grep v8`)).stdout).toBe(`${names.join('\n')}\n`)
})

test('another program of the same length is not what was kept', async () => {
  const { repo: made, at } = await copied()
  await using repo = made
  const main = at('dist/main.cjs')
  expect(await answer(repo, main)).toContain('Scope Violation')
  const { mtime } = await stat(at(PROGRAM))
  const other = (await readFile(at(PROGRAM), 'utf8')).replaceAll('Scope Violation', 'Scope violation')
  await writeFile(at(PROGRAM), other)
  await repo.play(`touch -d ${mtime.toISOString()} ../kotef/${PROGRAM}`)
  expect(await answer(repo, main)).toContain('Scope violation')
})

test('a git hook keeps what V8 compiled, and answers the same whatever stands in its place', async () => {
  await using repo = await hookedRepo()
  const cache = `.git/kotef/hook-program.cjs.${process.version}-${process.arch}.v8`
  const refused = () => repo.run('git', ['commit', '-qm', 'w'])
  await repo.play('echo x >>lib/x.ts; git add lib')
  const first = await refused()
  expect(first).toMatchObject({ code: 1, stderr: expect.stringContaining('lib/x.ts is outside intent INT-001') })
  const { mtimeMs } = await stat(join(repo.root, cache))
  expect(await refused()).toEqual(first)
  expect((await stat(join(repo.root, cache))).mtimeMs).toBe(mtimeMs)
  for (const damage of [`: >${cache}`, `head -c 9000 ${cache} >cut; mv cut ${cache}`, `rm ${cache}; mkdir ${cache}`]) {
    await repo.play(damage)
    expect(await refused()).toEqual(first)
  }
})

test('with options of Node, and where nothing can be written, the answer is the same and nothing is kept', async () => {
  const { repo: made, at } = await copied()
  await using repo = made
  const main = at('dist/main.cjs')
  const payload = JSON.stringify({
    ...{ session_id: 's', hook_event_name: 'PreToolUse' },
    ...{ tool_name: 'Write', tool_input: { file_path: 'x' } },
  })
  const input = { input: payload, env: { NODE_OPTIONS: '--max-old-space-size=200' } }
  const { stdout, code } = await repo.run('node', [main, 'agent-hook', 'claude'], input)
  expect([code, stdout.includes('Scope Violation')]).toEqual([0, true])
  const unwritable = ['-c', `ulimit -f 0; exec node ${main} agent-hook claude`]
  expect(await repo.run('bash', unwritable, { input: payload })).toEqual({ code: 0, stdout, stderr: '' })
  await expect(stat(at(KEPT))).rejects.toThrow('ENOENT')
  expect(await answer(repo, main)).toBe(stdout)
  await stat(at(KEPT))
})

test('what a daemon took to begin is kept as soon as it has begun, and nothing of what it does later', async () => {
  const { repo: made, at } = await copied()
  await using repo = made
  const kept = at(`dist/watch-line.cjs.${process.version}-${process.arch}.v8`)
  for (const since of [0, null, null]) {
    const before = since ?? (await stat(kept)).mtimeMs
    await using daemon = repo.start('node', [at('dist/main.cjs'), 'watch'])
    await daemon.line(/kotef is watching/)
    daemon.signal('SIGTERM')
    await daemon.ended
    const { mtimeMs } = await stat(kept)
    expect(since === null ? mtimeMs === before : mtimeMs > before).toBe(true)
  }
  for (const option of ['--detach', '--stop'])
    expect((await repo.run('node', [at('dist/main.cjs'), 'watch', option])).code).toBe(0)
  expect((await readFile(kept)).toString('latin1', 0, HEAD_BYTES).trimEnd()).toMatch(/ watching,watch$/)
})

// In a long run, V8 forgets what the program began with.
test('of a long run nothing is kept, and of the next short one all', async () => {
  const { repo: made, at } = await copied()
  await using repo = made
  const kept = at(`dist/command-line.cjs.${process.version}-${process.arch}.v8`)
  const validate = async (records: number): Promise<string> => {
    const id = '00000000-0000-4000-8000-000000000001'
    const record = { version: '0.1.0', id, timestamp: '2026-01-01T00:00:00.000Z', files: [] }
    await repo.write('records', `${JSON.stringify(record)}\n`.repeat(records))
    return (await repo.run('node', [at('dist/main.cjs'), 'trace', 'validate', 'records'])).stdout
  }
  expect(await validate(1_000_000)).toContain('1000000 records')
  await expect(stat(kept)).rejects.toThrow('ENOENT')
  expect(await validate(1)).toContain('1 record')
  expect((await stat(kept)).isFile()).toBe(true)
})

test('whoever stops a daemon loads neither its code nor that of the other verbs', async () => {
  const { repo: made, at } = await copied()
  await using repo = made
  await using daemon = repo.start('kotef-watch')
  await daemon.line(/kotef is watching/)
  await Promise.all(['command-line', 'watch-line'].map(it => rm(at(`dist/${it}.cjs`))))
  const { stdout } = await repo.run('node', [at('dist/main-watch.cjs'), '--stop'])
  expect(stdout).toBe(`kotef stopped watching (pid ${daemon.pid}).\n`)
})
