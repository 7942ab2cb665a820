import { parseArgs, type ParseArgsConfig } from 'node:util'

/** The arguments of one of the programs that test kotef. A wrong one, or `--help`, prints `usage`, and ends it. */
export function programOptions<const T extends ParseArgsConfig>(
  usage: string,
  config: T,
): ReturnType<typeof parseArgs<T>> {
  if (process.argv.includes('--help')) {
    process.stdout.write(`${usage}\n`)
    process.exit(0)
  }
  try {
    return parseArgs(config)
  } catch (thrown) {
    refuseOptions(thrown instanceof Error ? `${thrown.message}\n${usage}` : usage)
  }
}

/** Ends the program with what is wrong about its arguments. */
export function refuseOptions(message: string): never {
  process.stderr.write(`${message}\n`)
  process.exit(2)
}
