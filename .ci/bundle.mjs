// Makes dist/ of src/: `npm run build` has checked the types. Everything that runs is bundled, libraries too, so that a
// command loads a handful of files, and an install brings one package.
import { build } from 'esbuild'
import { readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

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

rmSync('dist', { recursive: true, force: true })
const programs = await build({
  ...common,
  entryPoints: ['src/main.ts', 'src/main-watch.ts', 'src/io/watch/directories-worker.ts'],
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
writeFileSync('dist/THIRD-PARTY-LICENSES.txt', licences([programs, hooks]))

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
