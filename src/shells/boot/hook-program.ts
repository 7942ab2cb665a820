import { basename, join } from 'node:path'
import { runWithCompileCache } from './compile-cache.ts'

const USE_LENGTH_MAX = 40

// The hooks' programs `hook.cjs` and `policy.cjs` are this file: each runs the bundle beside it with the code that V8
// compiled in an earlier run, because compiling takes a quarter of the time of a refusal. A bundle can load another.
function load(bundle: string): object {
  // A hook that refuses a commit calls other functions than one that lets it pass.
  const useOf = () => `${process.argv[2]} ${process.exitCode}`.replace(/[^\w-]/g, '-').slice(0, USE_LENGTH_MAX)
  return runWithCompileCache(join(__dirname, bundle), { require }, useOf)
}

const program = load(basename(__filename, '.cjs') + '-program.cjs') as { run(loadHelper: () => object): Promise<void> }
void program.run(() => load('policy-program.cjs'))
