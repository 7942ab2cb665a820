// Builds dist/ from src/; `npm run build` checks the types before. Libraries are bundled too, so that a command loads a
// few files, and installing kotef installs one package.
import { build } from 'esbuild'
import { copyFileSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'

const SCHEMA = `The JSON Schema of Agent Trace 0.1.0 (CC BY 4.0), https://agent-trace.dev, unchanged: see
https://creativecommons.org/licenses/by/4.0/`

const { version } = JSON.parse(readFileSync('package.json', 'utf8'))
// Smaller bundles of the command line, each with its verbs: those of `light-line` need no YAML and no schemas, as
// little as `watch --stop`.
const SMALL_LINES = { 'watch-line': ['watch'], 'light-line': ['blame', 'explain', 'flush', 'sync', 'watch'] }

const common = {
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'cjs',
  outdir: 'dist',
  entryNames: '[name]',
  outExtension: { '.js': '.cjs' },
  // Its CommonJS form finds its own files by a `require` that no bundler sees.
  // The ES module of tree-sitter asks for its own address, which a CommonJS bundle does not have.
  alias: {
    // In a browser it would be another file, and `process.type` of Electron chooses between the two.
    debug: 'debug/src/node.js',
    'jsonc-parser': 'jsonc-parser/lib/esm/main.js',
    'web-tree-sitter': './node_modules/web-tree-sitter/web-tree-sitter.cjs',
  },
  define: { KOTEF_VERSION: JSON.stringify(version), SMALL_LINES: JSON.stringify(SMALL_LINES) },
  // Identifiers are kept: a stack trace in a bug report must name functions.
  minifyWhitespace: true,
  minifySyntax: true,
  metafile: true,
  logLevel: 'warning',
  logOverride: { 'empty-import-meta': 'silent' },
}

// The smaller bundles load these modules, which they seldom need, from the bundle of the whole command line.
const lazyModules = new Set(
  [
    ...readFileSync('src/shells/boot/lazy-modules.ts', 'utf8').matchAll(
      /^  '(.+)': \(\) =>\s+import\('\.\.\/\.\.\/\1\.ts'\),$/gm,
    ),
  ].map(it => it[1]),
)

if (lazyModules.size !== readFileSync('src/shells/boot/lazy-modules.ts', 'utf8').split('import(').length - 1)
  throw new Error(
    'src/shells/boot/lazy-modules.ts: each line must be `key: () => import(path)`, with one path in both.',
  )

const LOAD_BUNDLE = [
  "import { runWithCompileCache } from './src/shells/boot/compile-cache.ts'",
  'const loaded = {}',
  'const bundle = it => (loaded[it] ??= runWithCompileCache(`${__dirname}/${it}.cjs`, { require }))',
]

// Modules that the bundles of the hooks load at the first call: most calls need none of them.
const forHooks = {
  ...builtin('child_process', 'execFileSync', 'spawn', 'spawnSync'),
  ...builtin('crypto', 'createHash', 'hash', 'randomUUID'),
  'node:tty': [
    "const tty = () => process.getBuiltinModule('node:tty')",
    'export const isatty = it => tty().isatty(it)',
    'export function WriteStream(it) { return new (tty().WriteStream)(it) }',
  ],
}

const builtins = { ...forHooks, ...builtin('os', 'homedir', 'hostname', 'tmpdir', 'userInfo') }

const forAgentHook = {
  ...builtins,
  ...builtin('net', 'connect', 'createServer'),
  ...builtin('readline', 'createInterface'),
  ...builtin('util', 'promisify'),
  micromatch: [...LOAD_BUNDLE, "export default new Proxy({}, { get: (_, it) => bundle('micromatch')[it] })"],
  ignore: [
    ...LOAD_BUNDLE,
    "const ignore = (...a) => bundle('ignore')(...a)",
    "export default Object.assign(ignore, { isPathValid: it => bundle('ignore').isPathValid(it) })",
  ],
  ...fromBundle('read-shell', 'readShell'),
  ...fromBundle('free-targets', 'ignoredAmong', 'temporaryAmong'),
  ...fromBundle('safe-events', 'keepForPerson', 'safeEvents'),
  ...fromBundle('session-run', 'beginTurnOf', 'countEvents', 'replyToStop', 'stopNow'),
}

// What most callers read from a pipe is not made for a terminal.
const forTerminal = { 'text-at-terminal': ["export const { textAtTerminal } = require('./text-at-terminal.cjs')"] }

function fromBundle(name, ...functions) {
  const lines = functions.map(it => `export const ${it} = (...a) => bundle('${name}').${it}(...a)`)
  return { [name]: [...LOAD_BUNDLE, ...lines] }
}

function builtin(name, ...functions) {
  const lines = functions.map(
    it => `export const ${it} = (...a) => process.getBuiltinModule('node:${name}').${it}(...a)`,
  )
  return { [`node:${name}`]: lines }
}

/** A plugin for modules that a bundle loads at the first call: their names, and the lines that stand for each. */
const loadOnCall = modules => ({
  name: 'load-on-call',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /./ }, ({ kind, path }) => {
      if (Object.hasOwn(modules, path)) return { path, namespace: 'on-call' }
      const name = basename(path, '.ts')
      return kind === 'dynamic-import' && Object.hasOwn(modules, name) ? { path: name, namespace: 'on-call' } : null
    })
    onLoad({ filter: /./, namespace: 'on-call' }, ({ path }) => ({
      contents: modules[path].join('\n'),
      resolveDir: '.',
    }))
  },
})

/** A plugin for a bundle with these verbs, which loads the others and some modules from that of the command line. */
const loadFromCommandLine = (verbs, modules = lazyModules) => ({
  name: 'load-from-command-line',
  setup({ onResolve }) {
    onResolve({ filter: /\.ts$/ }, ({ kind, path, importer, resolveDir }) => {
      if (kind !== 'dynamic-import') return null
      const name = relative('src', join(resolveDir, path)).slice(0, -'.ts'.length)
      const isOtherVerb = /verbs\.ts$/.test(importer) && !verbs.includes(basename(name))
      return isOtherVerb || name === 'shells/boot/lazy-modules' || modules.has(name)
        ? { path: name, external: true }
        : null
    })
  },
})

rmSync('dist', { recursive: true, force: true })
const programs = await build({
  ...common,
  plugins: [
    loadOnCall({
      ...fromBundle('lsp-connection', 'openConnection'),
      ...fromBundle('export-otlp', 'run'),
    }),
  ],
  entryPoints: {
    main: 'src/shells/boot/main.ts',
    'main-watch': 'src/shells/boot/main-watch.ts',
    'command-line': 'src/shells/boot/command-line.ts',
    prefetch: 'src/shells/boot/prefetch.ts',
    'directories-worker': 'src/world/io/watch/directories-worker.ts',
    'stretch-thread': 'src/world/ledger/stretch-thread.ts',
    parser: 'src/shells/boot/parser.ts',
    hook: 'src/shells/boot/hook-program.ts',
    // Clones that were set up earlier have the YAML helper under this name.
    policy: 'src/shells/boot/hook-program.ts',
    'policy-program': 'src/shells/git-hooks/yaml-helper.ts',
  },
})
// What runs in a hook is read at each start, so it is as short as can be.
const minified = { ...common, minify: true }
const hook = await build({
  ...minified,
  entryPoints: { 'hook-program': 'src/shells/git-hooks/hook.ts' },
  plugins: [loadOnCall(forHooks)],
})
const inAgentHook = { ...minified, alias: { 'node:fs/promises': './src/shells/boot/sync-fs-promises.ts' } }
const agentHook = await build({
  ...inAgentHook,
  entryPoints: ['src/shells/boot/agent-hook.ts'],
  plugins: [loadOnCall(forAgentHook), loadFromCommandLine([])],
})
const sessionRun = await build({
  ...inAgentHook,
  entryPoints: {
    'session-run': 'src/shells/agent-hook/session-run.ts',
    'safe-events': 'src/shells/agent-hook/safe-events.ts',
    'free-targets': 'src/shells/agent-hook/free-targets.ts',
  },
  plugins: [loadOnCall({ ...builtins, ...fromBundle('report-run', 'reportRun') })],
})
// The end of a run alone reads the config, for which it needs YAML and schemas.
const reportRun = await build({
  ...inAgentHook,
  entryPoints: { 'report-run': 'src/world/runs/report-run.ts' },
  plugins: [loadOnCall(builtins)],
})
const lightLine = await build({
  ...common,
  entryPoints: { 'light-line': 'src/shells/boot/command-line.ts' },
  external: ['./text-at-terminal.cjs'],
  plugins: [loadOnCall(forTerminal), loadFromCommandLine(SMALL_LINES['light-line'])],
})
// Half of the code of the command line, for the daemon, which needs all of its own sooner or later.
const watchLine = await build({
  ...common,
  entryPoints: { 'watch-line': 'src/shells/boot/command-line.ts' },
  plugins: [loadFromCommandLine(SMALL_LINES['watch-line'], new Set(['shells/cli/prompts']))],
})
for (const it of ['dist/agent-hook.cjs', 'dist/light-line.cjs', 'dist/watch-line.cjs']) {
  // Code from V8's cache has no loader for dynamic imports: `shells/boot/compile-cache.ts` passes it this function.
  writeFileSync(it, readFileSync(it, 'utf8').replace(/\bimport\(("[a-z/-]+")\)/g, '__import($1)'))
}
const library = await build({
  ...common,
  format: 'esm',
  outExtension: { '.js': '.mjs' },
  entryPoints: { run: 'src/shells/run-library/create-run.ts' },
})
const onCall = await build({
  ...minified,
  entryPoints: {
    'read-shell': 'src/core/agents/gate/shell/read-shell.ts',
    'text-at-terminal': 'src/shells/cli/text-at-terminal.ts',
    micromatch: 'micromatch',
    ignore: 'ignore',
  },
})
// Only `kotef lsp` loads the libraries of its protocol.
const languageServer = await build({ ...common, entryPoints: { 'lsp-connection': 'src/shells/lsp/lsp-connection.ts' } })
// Neither does any other verb need a server, or what makes pages.
const pageServer = await build({ ...common, entryPoints: { 'ui-server': 'src/shells/boot/ui.ts' } })
const pageClient = await build({
  ...common,
  platform: 'browser',
  target: 'es2022',
  format: 'iife',
  outdir: 'dist/ui',
  outExtension: {},
  minify: true,
  entryPoints: ['src/shells/ui/client/client.ts', 'src/shells/ui/client/client.css'],
})
for (const it of ['icon.svg', 'icon-waiting.svg']) copyFileSync(`src/shells/ui/client/${it}`, `dist/ui/${it}`)
// Only `kotef export otlp` loads the libraries of OpenTelemetry, so all of it is a bundle of its own.
const telemetry = await build({
  ...common,
  // They import `http` when they send; code from V8's cache can't do that, but it can require it.
  supported: { 'dynamic-import': false },
  entryPoints: { 'export-otlp': 'src/shells/cli/export/export-otlp.ts' },
})
copyGrammars('dist/grammars')
for (const it of readdirSync('dist').filter(it => it.endsWith('.cjs'))) {
  // `shells/boot/compile-cache.ts` reads bundles as latin1. esbuild escapes other characters, except in regular expressions.
  if (!/^\p{ASCII}*$/u.test(readFileSync(`dist/${it}`, 'utf8')))
    throw new Error(`dist/${it} has characters beyond ASCII.`)
}
writeFileSync(
  'dist/THIRD-PARTY-LICENSES.txt',
  licences([
    ...[programs, hook, agentHook, sessionRun, reportRun, lightLine, watchLine, library, onCall, languageServer],
    ...[pageServer, pageClient, telemetry],
  ]),
)

/** Copies the WebAssembly of tree-sitter, and of the grammars that `src/core/code/symbols/languages.ts` names. */
function copyGrammars(folder) {
  const grammars = readFileSync('src/core/code/symbols/languages.ts', 'utf8').matchAll(/grammar: '([a-z-]+)'/g)
  mkdirSync(folder)
  copyFileSync('node_modules/web-tree-sitter/web-tree-sitter.wasm', `${folder}/web-tree-sitter.wasm`)
  for (const name of new Set([...grammars].map(it => `tree-sitter-${it[1]}.wasm`)))
    copyFileSync(`node_modules/@vscode/tree-sitter-wasm/wasm/${name}`, `${folder}/${name}`)
}

/** The licence of each package whose code is in a bundle, and of the schema. */
function licences(results) {
  const inputs = results.flatMap(({ metafile }) => Object.keys(metafile.inputs))
  const grammars = 'node_modules/@vscode/tree-sitter-wasm'
  const packages = new Set([...inputs.map(packageOf).filter(it => it !== undefined), grammars])
  return [...[...packages].sort().map(licenceOf), SCHEMA].join('\n\n')
}

function packageOf(file) {
  return /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(dirname(file))?.[0]
}

function licenceOf(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const file = readdirSync(folder).find(it => /^(licen[cs]e|copying)/i.test(it))
  const text = file ? readFileSync(join(folder, file), 'utf8').trim() : 'The package contains no licence text.'
  return `${name} ${version} (${license})\n\n${text}`
}
