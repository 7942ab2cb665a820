/** Runs a program to its end: its exit code, null when a signal ended it, and what it printed. */
export function runSync(
  program: string,
  args: readonly string[],
  input = '',
): { readonly status: number | null; readonly stdout: string } {
  // Loaded late: most refusals start no program, and loading this module takes longer than judging.
  const { spawnSync } = process.getBuiltinModule('node:child_process')
  return spawnSync(program, args, { encoding: 'utf8', input, maxBuffer: 2 ** 30, stdio: ['pipe', 'pipe', 'ignore'] })
}
