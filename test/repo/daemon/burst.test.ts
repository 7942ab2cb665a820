import { expect, test } from 'vitest'
import { runCli } from '../../rig/command-line.ts'
import { flushedWrites, governedRepo, startWatching } from '../../rig/governed-repo.ts'

const BURST = `
git config core.hooksPath /dev/null
for n in 1 2 3 4 5 6; do
  echo n$n > src/n$n; git add -A; git commit -qm n$n; git stash apply -q
  echo k$n > src/k$n; git add -A; git commit -qm k$n; git checkout -qf HEAD -- .
done`

test('what is typed and committed in a burst is told of, whatever git merges in between', async () => {
  await using repo = await governedRepo({ 'src/a': 'a\n', 'src/b': 'b\n' })
  await repo.run('sh', ['-ec', 'echo more >> src/a; git stash -q'])
  await using _daemon = await startWatching(repo, { hasChildren: false })
  expect(await repo.run('sh', ['-ec', BURST])).toMatchObject({ code: 0 })
  const reported = (await flushedWrites(repo)).flatMap(it => it.files.map(file => `${file.kotef.op} ${file.path}`))
  expect(reported.sort()).toEqual([1, 2, 3, 4, 5, 6].flatMap(n => [`create src/n${n}`, `create src/k${n}`]).sort())
})

test('the output of a burst has a line for each record, in the order of the ledger', async () => {
  await using repo = await governedRepo({ 'src/a': 'a\n' })
  await using daemon = repo.start('kotef-watch', ['--json'])
  await daemon.line(/"event":"ready"/)
  await repo.run('sh', ['-ec', 'for n in $(seq 700); do echo $n >src/n$n; done'])
  const ids = (await flushedWrites(repo)).map(it => it.id)
  daemon.signal('SIGTERM')
  await daemon.ended
  const printed = daemon.lines.map(it => JSON.parse(it) as { readonly id?: string })
  expect(printed.flatMap(({ id = '' }) => (ids.includes(id) ? [id] : []))).toEqual(ids)
  expect(ids.length).toBe(700)
})

test('flush waits for a daemon that records more than it can in the given time', async () => {
  await using repo = await governedRepo({ 'src/a': 'a\n' })
  await using _daemon = await startWatching(repo)
  await repo.run('sh', ['-ec', 'for n in $(seq 12000); do echo $n >src/n$n; done'])
  const { failure } = await runCli(repo, 'flush', '--timeout', '2500')
  expect(failure).toBeNull()
  expect((await flushedWrites(repo)).length).toBe(12_000)
})

const LOGS = `
for (let n = 0; n < 20; n++) setInterval(() => fs.appendFileSync('log' + n, n + '\\n'), 30 + n)
console.log('writing')`

test('flush waits for what was written before it, and not for programs that go on writing', async () => {
  await using repo = await governedRepo({ 'src/a': 'a\n' })
  await using _daemon = await startWatching(repo)
  await using logs = repo.start('node', ['--eval', LOGS])
  await logs.line(/writing/)
  for (const path of ['src/b', 'src/c', 'src/d']) {
    await repo.write(path, 'new\n')
    expect((await runCli(repo, 'flush')).failure).toBeNull()
    expect(await repo.read('.orchestration/agent_trace.jsonl')).toContain(`"path":"${path}"`)
  }
})
