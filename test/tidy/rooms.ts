/**
 * Rooms without disk, clock, process, randomness or await: values in, values out. Each may import only itself and the
 * rooms above it in this list.
 */
export const pureRooms = [
  ...[
    'timing',
    'text',
    'outgoing',
    'findings',
    'runs',
    'paths',
    'git',
    'trailers',
    'intents',
    'handover',
    'scope',
    'ledger',
    'attribution',
    'change-origin',
    'contract',
    'symbols',
    'lessons',
    'map',
    'overlap',
  ],
  ...['rules', 'agents', 'gate', 'context', 'report', 'page', 'telemetry'],
]

/** Rooms that touch the world. Each may import every pure room, itself, and the rooms above it in this list. */
const worldRooms = [
  ...['io', 'worktree', 'meaning', 'daemon-client', 'ledger-store', 'sessions', 'policy', 'lesson-store', 'registry'],
  ...['approvals', 'handover-sessions', 'commits'],
  'session-runs',
  'conflicts',
  ...['intent-lifecycle', 'agent-activity', 'git-evidence', 'observation', 'provenance', 'verify', 'setup', 'doctor'],
  'code-map',
  'review',
  'status',
  'page-facts',
  'telemetry-export',
]

// A program is built of rooms, and no shell imports another one but for these.
const shells: Readonly<Record<string, readonly string[]>> = {
  hooks: [],
  'agent-hook': [],
  mcp: [],
  lsp: [],
  'run-library': [],
  daemon: [],
  ui: [],
  cli: ['agent-hook', 'mcp', 'lsp', 'daemon', 'ui'],
  boot: ['cli', 'agent-hook', 'ui'],
}

const upTo = (rooms: readonly string[], room: string) => rooms.slice(0, rooms.indexOf(room) + 1)

/** Which rooms of src each room may import. */
export const mayImport: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(pureRooms.map(room => [room, upTo(pureRooms, room)])),
  ...Object.fromEntries(worldRooms.map(room => [room, [...pureRooms, ...upTo(worldRooms, room)]])),
  'git-evidence': [...pureRooms, ...upTo(worldRooms, 'observation')],
  ...Object.fromEntries(
    Object.entries(shells).map(([room, more]) => [room, [...pureRooms, ...worldRooms, room, ...more]]),
  ),
  // It runs in a browser.
  'ui-client': [...pureRooms, 'ui-client'],
}

/** Where a constant in milliseconds may stand: what decides verdicts and what rooms wait for is one list, `timing/`. */
export const timeHomes = ['timing', 'ui-client', ...Object.keys(shells)]

/** What a pure room may import of Node. */
export const pureOfNode: Readonly<Record<string, readonly string[] | 'all'>> = {
  'node:crypto': ['createHash', 'hash'],
  'node:path/posix': 'all',
  'node:buffer': ['Buffer'],
}

/** Where each library serves. One that is not named here has no home yet. */
export const homes: Readonly<Record<string, readonly string[]>> = {
  '@bomb.sh/tab': ['cli'],
  '@modelcontextprotocol/server': ['mcp'],
  '@clack/prompts': ['cli'],
  '@opentelemetry/api': ['io'],
  '@opentelemetry/exporter-logs-otlp-proto': ['io'],
  '@opentelemetry/exporter-metrics-otlp-proto': ['io'],
  '@opentelemetry/exporter-trace-otlp-proto': ['io'],
  '@opentelemetry/resources': ['io'],
  '@opentelemetry/sdk-logs': ['io'],
  '@opentelemetry/sdk-metrics': ['io'],
  '@opentelemetry/sdk-trace-base': ['io'],
  chokidar: ['io'],
  ajv: ['ledger'],
  'ajv-formats': ['ledger'],
  commander: ['cli'],
  diff: ['attribution', 'git'],
  ignore: ['scope', 'io'],
  'jsonc-parser': ['setup', 'handover'],
  micromatch: ['paths', 'scope'],
  'simple-git': ['io'],
  mdast: ['contract', 'handover'],
  'mdast-util-from-markdown': ['contract', 'handover'],
  'smol-toml': ['setup'],
  preact: ['page', 'ui', 'ui-client'],
  'preact-render-to-string': ['ui'],
  hono: ['ui'],
  '@hono/node-server': ['ui'],
  uplot: ['ui-client'],
  'vscode-languageserver': ['lsp'],
  'vscode-languageserver-textdocument': ['lsp'],
  'web-tree-sitter': ['io'],
  'xxhash-wasm': ['io'],
  unbash: ['gate'],
  yaml: ['intents', 'handover'],
  zod: ['intents', 'handover', 'ledger', 'observation', 'provenance', 'daemon'],
}

/** Rooms whose lists grow with the ledger, with history, or with the lines of a file. */
export const endless = ['ledger', 'attribution', 'ledger-store', 'commits', 'provenance', 'verify']

/** The files that may print: everything else answers with a value. */
export const printers = [
  'src/boot/main.ts',
  'src/boot/command-line.ts',
  'src/boot/agent-hook.ts',
  'src/hooks/hook.ts',
  'src/hooks/yaml-helper.ts',
  // Frames of the Language Server Protocol, which its library writes.
  'src/lsp/lsp-connection.ts',
]

/** The files that may say of a text that the registry has it, or that kotef itself gives it: it may leave as it is. */
export const publishers = [
  'src/runs/agent-run.ts',
  'src/runs/safe-event.ts',
  'src/lessons/automatic.ts',
  'src/lesson-store/failed-checks.ts',
  'src/session-runs/report-run.ts',
  'src/agent-hook/refusal-events.ts',
  'src/run-library/create-run.ts',
]

/** What an entry must not load, by whatever way: bare Node takes 40 ms, each of these 15 to 70 more. */
export const lightEntries: Readonly<Record<string, readonly string[]>> = {
  'src/hooks/hook.ts': ['yaml', 'zod', 'simple-git', 'chokidar', 'commander', '@clack/prompts', '@bomb.sh/tab'],
  'src/agent-activity/record-event.ts': [
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
  file: 250,
  width: 120,
  parameters: 3,
  shim: 15,
  transcript: 60,
  untestedPureFile: 40,
}

/** The names that many files may export: the table of verbs calls `run` of whichever file it loads. */
export const sharedNames = ['run']
