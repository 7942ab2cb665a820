/** Rooms without disk, clock, process, randomness or await: values in, values out. */
export const pureRooms = [
  ...['intents', 'scope', 'ledger', 'attribution', 'agents', 'gate', 'context', 'diff', 'trailers', 'rules', 'report'],
]

const world = [...pureRooms, 'io', 'workspace']
const useCases = [...world, 'recording', 'provenance', 'verify', 'setup', 'doctor', 'package']

/** Which rooms of src each room may import. A file that lies in src itself is a room of its own. */
export const mayImport: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(pureRooms.map(room => [room, pureRooms])),
  io: [...pureRooms, 'io', 'package'],
  workspace: [...world, 'package'],
  recording: [...world, 'recording'],
  provenance: [...world, 'provenance', 'package'],
  verify: [...world, 'provenance', 'verify', 'package'],
  setup: [...world, 'setup', 'package'],
  doctor: [...world, 'setup', 'doctor', 'package'],
  handshake: [...world, 'recording', 'provenance', 'handshake', 'package'],
  mcp: [...world, 'provenance', 'mcp', 'package'],
  hooks: [...world, 'hooks', 'package'],
  daemon: [...useCases, 'daemon'],
  cli: [...useCases, 'handshake', 'mcp', 'cli'],
  'agent-hook': ['report', 'cli', 'handshake'],
  'command-line': ['report', 'cli', 'later'],
  later: ['handshake', 'workspace', 'recording', 'provenance', 'attribution', 'ledger', 'cli'],
  'blame-ahead': ['cli', 'diff', 'io'],
  main: ['command-line', 'agent-hook', 'blame-ahead', 'io'],
  'main-watch': ['main'],
  package: [],
}

/** The table of verbs names one shell beside its own; that shell's code is loaded when the verb is called. */
export const doors: Readonly<Record<string, string>> = { 'src/cli/verbs.ts': '../daemon/watch.ts' }

/** What a pure room may import of Node. */
export const pureOfNode: Readonly<Record<string, readonly string[] | 'all'>> = {
  'node:crypto': ['createHash'],
  'node:path/posix': 'all',
  'node:buffer': ['Buffer'],
}

/** Where each library serves. One that is not named here has no home yet. */
export const homes: Readonly<Record<string, readonly string[]>> = {
  '@bomb.sh/tab': ['cli'],
  '@modelcontextprotocol/server': ['mcp'],
  '@clack/prompts': ['cli'],
  chokidar: ['io'],
  ajv: ['ledger'],
  'ajv-formats': ['ledger'],
  commander: ['cli'],
  diff: ['attribution', 'diff'],
  ignore: ['scope', 'io'],
  micromatch: ['scope'],
  'simple-git': ['io'],
  'smol-toml': ['setup'],
  'xxhash-wasm': ['io'],
  unbash: ['gate'],
  yaml: ['intents'],
  zod: ['intents', 'ledger', 'workspace', 'recording', 'provenance', 'daemon'],
}

/** Rooms whose lists grow with the ledger, with history, or with the lines of a file. */
export const endless = ['ledger', 'attribution', 'workspace', 'provenance', 'verify']

/** The files that may print: everything else answers with a value. */
export const printers = [
  'src/main.ts',
  'src/command-line.ts',
  'src/agent-hook.ts',
  'src/hooks/hook.ts',
  'src/hooks/policy.ts',
]

/** What an entry must not load, by whatever way: bare Node takes 40 ms, each of these 15 to 70 more. */
export const lightEntries: Readonly<Record<string, readonly string[]>> = {
  'src/hooks/hook.ts': ['yaml', 'zod', 'simple-git', 'chokidar', 'commander', '@clack/prompts', '@bomb.sh/tab'],
  'src/recording/heed.ts': ['yaml', 'zod', 'simple-git', 'chokidar', 'commander', '@clack/prompts', '@bomb.sh/tab'],
}

/** Limits, in lines and characters. */
export const limits = { function: 50, file: 250, width: 120, parameters: 3, shim: 15, transcript: 60 }
