// Makes dist/ of src/: `npm run build` has checked the types. Everything that runs is bundled, libraries too, so that a
// command loads a handful of files, and an install brings one package.
import { build } from 'esbuild'
import { readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'

const SCHEMA = `The JSON Schema of Agent Trace 0.1.0 (CC BY 4.0), https://agent-trace.dev, unchanged: see
https://creativecommons.org/licenses/by/4.0/`

const { version } = JSON.parse(readFileSync('package.json', 'utf8'))
// They need no YAML and no schemas, so they are a program of their own.
const LIGHT_VERBS = ['blame', 'explain', 'flush', 'sync']

const common = {
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'cjs',
  outdir: 'dist',
  entryNames: '[name]',
  outExtension: { '.js': '.cjs' },
  // Its CommonJS form finds its own files by a `require` that no bundler sees.
  alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' },
  define: { KOTEF_VERSION: JSON.stringify(version), LIGHT_VERBS: JSON.stringify(LIGHT_VERBS) },
  // Without names, what a user sends of a failure says nothing.
  minifyWhitespace: true,
  minifySyntax: true,
  metafile: true,
  logLevel: 'warning',
  logOverride: { 'empty-import-meta': 'silent' },
}

// What the smaller programs seldom need, the program of the whole command line has: it is asked for by these names.
const later = new Set(
  readFileSync('src/boot/lazy-modules.ts', 'utf8')
    .split('\n')
    .flatMap(it => /^  '(.+)': \(\) => import\('\.\.\/\1\.ts'\),$/.exec(it)?.[1] ?? []),
)

if (later.size !== readFileSync('src/boot/lazy-modules.ts', 'utf8').split('import(').length - 1)
  throw new Error('src/boot/lazy-modules.ts is odd.')

const NEIGHBOURS = [
  "import { runWithCompileCache } from './src/boot/compile-cache.ts'",
  'const known = {}',
  'const neighbour = it => (known[it] ??= runWithCompileCache(`${__dirname}/${it}.cjs`, { require }))',
]

// Even these are loaded when they are first called: most uses of a tool need none of them.
const lazy = {
  ...builtin('child_process', 'execFileSync', 'spawn'),
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
    onResolve({ filter: /./ }, ({ kind, path }) => {
      if (Object.hasOwn(lazy, path)) return { path, namespace: 'lazy' }
      const name = basename(path, '.ts')
      return kind === 'dynamic-import' && Object.hasOwn(lazy, name) ? { path: name, namespace: 'lazy' } : null
    })
    onLoad({ filter: /./, namespace: 'lazy' }, ({ path }) => ({ contents: lazy[path].join('\n'), resolveDir: '.' }))
  },
}

const fromTheWhole = {
  name: 'from-the-whole',
  setup({ onResolve }) {
    onResolve({ filter: /\.ts$/ }, ({ kind, path, importer, resolveDir }) => {
      if (kind !== 'dynamic-import') return null
      const name = relative('src', join(resolveDir, path)).slice(0, -'.ts'.length)
      const isOtherVerb = /verbs\.ts$/.test(importer) && !LIGHT_VERBS.includes(basename(name))
      return isOtherVerb || name === 'boot/lazy-modules' || later.has(name) ? { path: name, external: true } : null
    })
  },
}

rmSync('dist', { recursive: true, force: true })
const programs = await build({
  ...common,
  entryPoints: {
    main: 'src/boot/main.ts',
    'main-watch': 'src/boot/main-watch.ts',
    'command-line': 'src/boot/command-line.ts',
    'prefetch-blame': 'src/boot/prefetch-blame.ts',
    'directories-worker': 'src/io/watch/directories-worker.ts',
    hook: 'src/hooks/hook.ts',
    // Clones that are set up have it under this name.
    policy: 'src/hooks/yaml-helper.ts',
  },
})
const quick = { ...common, minify: true }
const agentHook = await build({
  ...quick,
  entryPoints: ['src/boot/agent-hook.ts'],
  plugins: [fromNeighbours, fromTheWhole],
  alias: { 'node:fs/promises': './src/boot/sync-fs-promises.ts' },
})
const lightLine = await build({
  ...common,
  entryPoints: { 'light-line': 'src/boot/command-line.ts' },
  plugins: [fromTheWhole],
})
for (const it of ['dist/agent-hook.cjs', 'dist/light-line.cjs']) {
  // Code from V8's cache can't import by itself: `boot/compile-cache.ts` gives it this function.
  writeFileSync(it, readFileSync(it, 'utf8').replace(/\bimport\(("[a-z/-]+")\)/g, '__import($1)'))
}
const neighbours = await build({
  ...quick,
  entryPoints: { 'read-shell': 'src/gate/shell/read-shell.ts', micromatch: 'micromatch', ignore: 'ignore' },
})
for (const it of readdirSync('dist')) {
  // esbuild spells other letters as ASCII everywhere but in regular expressions; `boot/compile-cache.ts` relies on it.
  if (!/^\p{ASCII}*$/u.test(readFileSync(`dist/${it}`, 'utf8'))) throw new Error(`${it} has letters beyond ASCII.`)
}
writeFileSync('dist/THIRD-PARTY-LICENSES.txt', licences([programs, agentHook, lightLine, neighbours]))

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
