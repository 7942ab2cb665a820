import { execFileSync } from 'node:child_process'
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { buildSync } from 'esbuild'
import packageJson from '../../package.json' with { type: 'json' }
import { endProcessesOf } from './end-processes.ts'
import { type PackedKotef, packKotef, repositoryRoot } from './packed-kotef.ts'
import { testFolder } from './test-folder.ts'

/** Once per test run: builds and packs kotef into a folder of the run's own, and clears it away at the end. */
export default function setUp() {
  const run = mkdtempSync(join(testFolder(), 'kt-'))
  process.env['KOTEF_TEST_RUN'] = run
  process.env['KOTEF_TEST_HOME'] = process.env['HOME'] // What npm knows of its registry and its cache lies there.
  process.env['KOTEF_TEST_CA_CERTS'] = process.env['NODE_EXTRA_CA_CERTS'] ?? ''
  if (!isWithoutBuild(process.argv)) {
    recordFailure(run, () => execFileSync('npm', ['run', '--silent', 'build'], quietly))
    recordFailure(run, () => buildDaemonHost(packKotef(run)))
  }
  return () => clearAway(run)
}

// It lies beside the package's programs, because it starts those that lie beside it.
function buildDaemonHost({ root }: PackedKotef): void {
  buildSync({
    entryPoints: [join(repositoryRoot, 'test/rig/daemon-host.ts')],
    outfile: join(root, 'dist/daemon-host.cjs'),
    bundle: true,
    platform: 'node',
    target: 'node20',
    alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' },
    define: { KOTEF_VERSION: JSON.stringify(packageJson.version) },
    logOverride: { 'empty-import-meta': 'silent' },
  })
}

// The tests of the pure rooms and of the code's own look run from the source alone.
function isWithoutBuild(words: readonly string[]): boolean {
  const paths = words.filter((it, n) => it.startsWith('test/') && words[n - 1] !== '--config')
  return paths.length > 0 && paths.every(it => /^test\/(core|world|shells|tidy)/.test(it))
}

const quietly = { cwd: repositoryRoot, encoding: 'utf8', stdio: 'pipe' } as const

// Tests of the pure rooms need no build, so a broken one is a test that fails and not the end of the run.
function recordFailure(run: string, work: () => void): void {
  try {
    work()
  } catch (thrown) {
    const report = reportOf(thrown)
    process.stderr.write(`The build failed: the tests of programs run the one from before.\n${report}\n`)
    appendFileSync(join(run, 'build-failure'), report)
  }
}

function reportOf(thrown: unknown): string {
  const { stdout = '', stderr = '', message } = thrown as Error & { stdout?: string; stderr?: string }
  return [message, stdout, stderr].filter(Boolean).join('\n')
}

function clearAway(run: string): void {
  const left = endProcessesOf(run)
  rmSync(run, { recursive: true, force: true, maxRetries: 10 })
  if (left.length > 0) throw new Error(`The tests left processes behind:\n${left.join('\n')}`)
}
