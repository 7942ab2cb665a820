import { runWithCompileCache } from './compile-cache.ts'

const USE_LENGTH_MAX = 40

// The hooks' programs `hook.cjs` and `policy.cjs` are this file: each runs the bundle beside it with the code that V8
// compiled in an earlier run, because compiling takes a quarter of the time of a refusal.
runWithCompileCache(
  __filename.replace(/\.cjs$/, '-program.cjs'),
  { require },
  // A hook that refuses a commit calls other functions than one that lets it pass.
  () => `${process.argv[2]} ${process.exitCode}`.replace(/[^\w-]/g, '-').slice(0, USE_LENGTH_MAX),
)
