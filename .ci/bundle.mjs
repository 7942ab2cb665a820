// Makes dist/ of src/: `npm run build` has checked the types. Everything that runs is bundled, libraries too, so that a
// command loads a handful of files, and an install brings one package.
import { build } from 'esbuild'
import { readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

const SCHEMA = `The JSON Schema of Agent Trace 0.1.0 (CC BY 4.0), https://agent-trace.dev, unchanged: see
https://creativecommons.org/licenses/by/4.0/`

const { version } = JSON.parse(readFileSync('package.json', 'utf8'))
const common = {
  bundle: true,
  platform: 'node',
  target: 'node20',
  outdir: 'dist',
  entryNames: '[name]',
  metafile: true,
  logLevel: 'warning',
}

// What an agent's hook seldom needs: the program of the hook, one file, loads it from its neighbours.
const later = [
  ...['handshake/read-policy', 'handshake/judge-written', 'handshake/tell-context', 'workspace/workspace'],
  ...['command-line', 'workspace/end-hooked', 'workspace/resume-hooked', 'recording/unwatched', 'recording/claim-late'],
].map(it => ({ name: basename(it), file: `src/${it}.ts` }))

const NEIGHBOURS = [
  "import { runCompiled } from './src/io/compiled.ts'",
  'const known = {}',
  'const neighbour = it => (known[it] ??= runCompiled(`${__dirname}/${it}.cjs`, { require }))',
]

// Even these are loaded when they are first called: most uses of a tool need none of them.
const lazy = {
  ...builtin('child_process', 'execFile', 'execFileSync', 'spawn'),
  ...builtin('crypto', 'createHash', 'randomUUID'),
  ...builtin('net', 'connect', 'createServer'),
  ...builtin('os', 'homedir', 'hostname', 'tmpdir', 'userInfo'),
  ...builtin('readline', 'createInterface'),
  ...builtin('util', 'promisify'),
  micromatch: [...NEIGHBOURS, "export default new Proxy({}, { get: (_, it) => neighbour('micromatch')[it] })"],
  ignore: [...NEIGHBOURS, "export default (...a) => neighbour('ignore')(...a)"],
  'read-shell': [...NEIGHBOURS, "export const readShell = (...a) => neighbour('read-shell').readShell(...a)"],
}

function builtin(name, ...functions) {
  const lines = functions.map(
    it => `export const ${it} = (...a) => process.getBuiltinModule('node:${name}').${it}(...a)`,
  )
  return { [`node:${name}`]: lines }
}

const fromNeighbours = {
  name: 'from-neighbours',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^\.\/[a-z-]+\.cjs$/ }, ({ path }) => ({ path, external: true }))
    onResolve({ filter: /./ }, ({ kind, path }) => {
      if (Object.hasOwn(lazy, path)) return { path, namespace: 'lazy' }
      if (kind !== 'dynamic-import') return null
      const name = basename(path, '.ts')
      if (Object.hasOwn(lazy, name)) return { path: name, namespace: 'lazy' }
      return later.some(it => it.name === name) ? { path: `./${name}.js`, external: true } : null
    })
    onLoad({ filter: /./, namespace: 'lazy' }, ({ path }) => ({ contents: lazy[path].join('\n'), resolveDir: '.' }))
  },
}

rmSync('dist', { recursive: true, force: true })
const programs = await build({
  ...common,
  entryPoints: ['src/main-watch.ts', 'src/io/watch/directories-worker.ts', ...later.map(it => it.file)],
  format: 'esm',
  splitting: true,
  // Some libraries are CommonJS, and ask for Node's own modules by a `require` that a module has not got.
  banner: { js: "import{createRequire as __made}from'node:module';const require=__made(import.meta.url);" },
})
const hooks = await build({
  ...common,
  entryPoints: ['src/hooks/hook.ts', 'src/hooks/policy.ts'],
  format: 'cjs',
  outExtension: { '.js': '.cjs' },
  define: { KOTEF_VERSION: JSON.stringify(version) },
  logOverride: { 'empty-import-meta': 'silent' },
})
// Node reads a file through before it runs a line of it.
const quick = {
  ...common,
  format: 'cjs',
  outExtension: { '.js': '.cjs' },
  define: { KOTEF_VERSION: JSON.stringify(version) },
  logOverride: { 'empty-import-meta': 'silent' },
  minify: true,
}
const agentHook = await build({
  ...quick,
  entryPoints: ['src/main.ts', 'src/agent-hook.ts'],
  plugins: [fromNeighbours],
  alias: { 'node:fs/promises': './src/io/fs-at-once.ts' },
})
// It is run by what V8 kept of it, which does not know any more where it may import from: see `io/compiled.ts`.
const program = 'dist/agent-hook.cjs'
writeFileSync(program, readFileSync(program, 'utf8').replaceAll('import("./', '__import("./'))
const neighbours = await build({
  ...quick,
  entryPoints: { 'read-shell': 'src/gate/shell/read-shell.ts', micromatch: 'micromatch', ignore: 'ignore' },
})
writeFileSync('dist/THIRD-PARTY-LICENSES.txt', licences([programs, hooks, agentHook, neighbours]))

/** The licence of each package that a bundle has code of, and of the schema. */
function licences(results) {
  const inputs = results.flatMap(({ metafile }) => Object.keys(metafile.inputs))
  const packages = new Set(inputs.map(packageOf).filter(it => it !== undefined))
  return [...[...packages].sort().map(licenceOf), SCHEMA].join('\n\n')
}

function packageOf(file) {
  return /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(dirname(file))?.[0]
}

function licenceOf(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const file = readdirSync(folder).find(it => /^(licen[cs]e|copying)/i.test(it))
  const text = file ? readFileSync(join(folder, file), 'utf8').trim() : 'The package brings no text of its licence.'
  return `${name} ${version} (${license})\n\n${text}`
}
