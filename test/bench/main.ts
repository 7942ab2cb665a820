import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { packKotef } from '../rig/packed.ts'
import { benchHooks } from './hooks.ts'
import { benchWatch } from './watch-latency.ts'

const BENCHES: Readonly<Record<string, (print: (text: string) => void) => Promise<void>>> = {
  hooks: benchHooks,
  watch: benchWatch,
}

const words = process.argv.slice(2)
const unknown = words.filter(it => !Object.hasOwn(BENCHES, it))
if (unknown.length > 0) {
  const known = Object.keys(BENCHES).join(' and ')
  process.stderr.write(`There is no bench ${unknown.join(', ')}; there are ${known}: npm run bench -- hooks\n`)
  process.exitCode = 2
} else await run(words.length > 0 ? words : Object.keys(BENCHES))

async function run(names: readonly string[]): Promise<void> {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'kb-'))
  const { HOME, NODE_EXTRA_CA_CERTS = '' } = process.env
  const outside = { KOTEF_TEST_HOME: HOME, KOTEF_TEST_CA_CERTS: NODE_EXTRA_CA_CERTS }
  Object.assign(process.env, { ...outside, KOTEF_TEST_RUN: folder, TMPDIR: folder })
  // Whoever stops a bench leaves nothing behind.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }))
  packKotef(folder)
  for (const name of names) await BENCHES[name]?.(text => void process.stdout.write(`${text}\n`))
}
