/**
 * The three floors, and the rooms of each. Core: values in, values out, without disk, clock, process, randomness or
 * await. World: git, disk, processes, and the use-cases over them. Shells: a program or a protocol each. Shells stand
 * above world, world above core; on a floor, a room imports only itself and the rooms before it in its list.
 */
const core = [
  ...['base', 'outgoing', 'git', 'handover', 'runs', 'intents', 'ledger', 'lessons', 'code', 'agents', 'authorship'],
  ...['rules', 'report'],
]

const world = [
  ...['io', 'ledger', 'intents', 'lessons', 'checks', 'handover', 'recording', 'code', 'approvals', 'commits', 'runs'],
  ...['lifecycle', 'provenance', 'verify', 'setup', 'views'],
]

const shells = [
  ...['git-hooks', 'agent-hook', 'mcp', 'lsp', 'run-library', 'daemon'],
  ...['otlp/records', 'otlp/sending', 'otlp/export', 'ui/pages', 'ui/facts', 'ui/server', 'ui/client', 'cli', 'boot'],
]

// A shell is a program of its own, and imports no other one but these.
const shellsOfShells: Readonly<Record<string, readonly string[]>> = {
  'otlp/sending': ['otlp/records'],
  'otlp/export': ['otlp/records', 'otlp/sending'],
  'ui/facts': ['ui/pages'],
  'ui/server': ['ui/pages', 'ui/facts'],
  cli: ['agent-hook', 'mcp', 'lsp', 'daemon', 'otlp/sending', 'otlp/export', 'ui/server'],
  boot: ['cli', 'agent-hook', 'ui/server'],
}

/** The rooms of each floor, in the order in which they may import each other. */
export const floors = { core, world, shells }

const named = (floor: string, rooms: readonly string[]): string[] => rooms.map(it => `${floor}/${it}`)
const upTo = (rooms: readonly string[], room: string): string[] => rooms.slice(0, rooms.indexOf(room) + 1)
const [coreRooms, worldRooms] = [named('core', core), named('world', world)]

/** Rooms that are pure: those of core, and what a shell has of the kind. */
export const pureRooms = [...coreRooms, 'shells/ui/pages', 'shells/otlp/records']

/** Which rooms of src each room may import. */
export const mayImport: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(coreRooms.map(room => [room, upTo(coreRooms, room)])),
  ...Object.fromEntries(worldRooms.map(room => [room, [...coreRooms, ...upTo(worldRooms, room)]])),
  ...Object.fromEntries(
    shells.map(it => [
      `shells/${it}`,
      [...coreRooms, ...worldRooms, ...named('shells', [it, ...(shellsOfShells[it] ?? [])])],
    ]),
  ),
  'shells/ui/pages': [...coreRooms, 'shells/ui/pages'],
  'shells/otlp/records': [...coreRooms, 'shells/otlp/records'],
  // It runs in a browser.
  'shells/ui/client': [...coreRooms, 'shells/ui/pages', 'shells/ui/client'],
}

/**
 * The handover is a part of its own. Other files ask it by its ports only: what is its own and what a role may write,
 * the judgement of changes in git, of writes on disk, and the checks of sessions that are over. The shells that show
 * and edit sessions import what they show.
 */
export const handover = {
  rooms: ['core/handover', 'world/handover'],
  ports: [
    ...['core/handover/port', 'core/handover/handover-problem', 'world/handover/judge-changes'],
    ...['world/handover/judge-writes', 'world/handover/run-acceptance'],
  ].map(it => `src/${it}.ts`),
  shownBy: ['shells/cli', 'shells/mcp', 'shells/ui/facts', 'shells/ui/pages'],
}

/** Where a constant in milliseconds may stand: what decides verdicts and what rooms wait for is in a few lists. */
export const timeHomes = {
  rooms: ['shells/ui/client', ...named('shells', shells)],
  files: ['thresholds', 'claim-times', 'page-times', 'process-times'].map(it => `src/core/base/${it}.ts`),
}

/** What a pure room may import of Node. */
export const pureOfNode: Readonly<Record<string, readonly string[] | 'all'>> = {
  'node:crypto': ['createHash', 'hash'],
  'node:path/posix': 'all',
  'node:buffer': ['Buffer'],
}

/** Where each library serves. One that is not named here has no home yet. */
export const homes: Readonly<Record<string, readonly string[]>> = {
  '@bomb.sh/tab': ['shells/cli'],
  '@modelcontextprotocol/server': ['shells/mcp'],
  '@clack/prompts': ['shells/cli'],
  '@opentelemetry/api': ['shells/otlp/sending'],
  '@opentelemetry/exporter-logs-otlp-proto': ['shells/otlp/sending'],
  '@opentelemetry/exporter-metrics-otlp-proto': ['shells/otlp/sending'],
  '@opentelemetry/exporter-trace-otlp-proto': ['shells/otlp/sending'],
  '@opentelemetry/resources': ['shells/otlp/sending'],
  '@opentelemetry/sdk-logs': ['shells/otlp/sending'],
  '@opentelemetry/sdk-metrics': ['shells/otlp/sending'],
  '@opentelemetry/sdk-trace-base': ['shells/otlp/sending'],
  chokidar: ['world/io'],
  ajv: ['core/ledger'],
  'ajv-formats': ['core/ledger'],
  commander: ['shells/cli'],
  diff: ['core/authorship', 'core/git'],
  ignore: ['core/intents', 'world/io'],
  'jsonc-parser': ['world/setup', 'core/handover'],
  micromatch: ['core/base', 'core/intents'],
  'simple-git': ['world/io'],
  mdast: ['core/intents', 'core/handover'],
  'mdast-util-from-markdown': ['core/intents', 'core/handover'],
  'smol-toml': ['world/setup'],
  preact: ['shells/ui/pages', 'shells/ui/server', 'shells/ui/client'],
  'preact-render-to-string': ['shells/ui/server'],
  hono: ['shells/ui/server'],
  '@hono/node-server': ['shells/ui/server'],
  uplot: ['shells/ui/client'],
  'vscode-languageserver': ['shells/lsp'],
  'vscode-languageserver-textdocument': ['shells/lsp'],
  'web-tree-sitter': ['world/io'],
  'xxhash-wasm': ['world/io'],
  unbash: ['core/agents'],
  yaml: ['core/base', 'core/intents', 'core/handover'],
  zod: [
    'core/base',
    'core/intents',
    'core/handover',
    'core/ledger',
    'world/recording',
    'world/provenance',
    'shells/daemon',
  ],
}

/** Rooms whose lists grow with the ledger, with history, or with the lines of a file. */
export const endless = [
  'core/ledger',
  'core/authorship',
  'world/ledger',
  'world/commits',
  'world/provenance',
  'world/verify',
]

/** The files that may print: everything else answers with a value. */
export const printers = [
  'src/shells/boot/main.ts',
  'src/shells/boot/command-line.ts',
  'src/shells/boot/agent-hook.ts',
  'src/shells/git-hooks/hook.ts',
  'src/shells/git-hooks/yaml-helper.ts',
  // Frames of the Language Server Protocol, which its library writes.
  'src/shells/lsp/lsp-connection.ts',
]

/** The files outside of world/io that may start a process: commands of the demo, a pager, the maker of pages. */
export const starters = ['src/shells/cli/demo.ts', 'src/shells/cli/pager.ts', 'src/shells/ui/server/page-program.ts']

/** The files that may say of a text that the registry has it, or that kotef itself gives it: it may leave as it is. */
export const publishers = [
  'src/core/runs/agent-run.ts',
  'src/core/runs/safe-event.ts',
  'src/core/lessons/automatic.ts',
  'src/world/lessons/failed-checks.ts',
  'src/world/runs/report-run.ts',
  'src/world/runs/refusal-events.ts',
  'src/shells/run-library/create-run.ts',
]

/** What an entry must not load, by whatever way: bare Node takes 40 ms, each of these 15 to 70 more. */
export const lightEntries: Readonly<Record<string, readonly string[]>> = {
  'src/shells/git-hooks/hook.ts': [
    'yaml',
    'zod',
    'simple-git',
    'chokidar',
    'commander',
    '@clack/prompts',
    '@bomb.sh/tab',
  ],
  'src/world/recording/agent-activity/record-event.ts': [
    'yaml',
    'zod',
    'simple-git',
    'chokidar',
    'commander',
    '@clack/prompts',
    '@bomb.sh/tab',
  ],
}

/** Limits, in lines and characters. */
export const limits = {
  function: 50,
  file: 300,
  width: 120,
  parameters: 3,
  shim: 15,
  transcript: 60,
  untestedPureFile: 40,
}

/** The names that many files may export: the table of verbs calls `run` of whichever file it loads. */
export const sharedNames = ['run']
