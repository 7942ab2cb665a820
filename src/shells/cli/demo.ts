import { spawn } from 'node:child_process'
import { chmod, mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { packageFile } from '../../world/io/files/package.ts'
import { KotefError } from '../../core/base/failure.ts'
import type { RunVerb, VerbCall } from './verb.ts'

/** `kotef demo`: plays the steps of `demo-story.ts` in a temporary repository. */
export const run: RunVerb = async call => {
  const folder = await mkdtemp(join(await realpath(tmpdir()), 'kotef-demo-'))
  const context = { cwd: join(folder, 'shop'), env: await demoEnv(folder, call.env) }
  await mkdir(context.cwd)
  try {
    const outputs: { command: string; output: string; code: number }[] = []
    for (const step of STORY) outputs.push(await playStep(step, context, call))
    if (!call.options['json'])
      call.print('That was the main job. Begin in your own repository with `npx kotef-watch init`.')
    return { text: '', json: outputs }
  } finally {
    await runShellLine('kotef watch --stop', context).catch(() => null)
    await rm(folder, { recursive: true, force: true })
  }
}

type DemoContext = { readonly cwd: string; readonly env: NodeJS.ProcessEnv }

async function playStep({ why, command, code: wanted }: Step, context: DemoContext, { print, options }: VerbCall) {
  if (why !== undefined && !options['json']) print(`# ${why}`)
  if (!options['json']) print(`$ ${command}`)
  const { code, output } = await runShellLine(command, context)
  if (!options['json']) print(output.replace(/\s*$/, output.trim() === '' ? '' : '\n'))
  if (code !== wanted) throw new KotefError('bug', `The demo's \`${command}\` exited with ${code}, not with ${wanted}.`)
  return { command, output, code }
}

/**
 * An environment in which `kotef` and `kotef-watch` are this program, and git reads no settings of the user. HOME is
 * changed as well, because simple-git removes GIT_CONFIG_* variables from the environment of git.
 */
async function demoEnv(folder: string, env: NodeJS.ProcessEnv): Promise<NodeJS.ProcessEnv> {
  const bin = join(folder, 'bin')
  await mkdir(bin)
  for (const [name, script] of Object.entries({ kotef: 'main.cjs', 'kotef-watch': 'main-watch.cjs' })) {
    const main = packageFile(`dist/${script}`)
    await writeFile(join(bin, name), `#!/bin/sh\nexec "${process.execPath}" "${main}" "$@"\n`)
    await chmod(join(bin, name), 0o755)
  }
  const kept = Object.entries(env).filter(([name]) => !/^(GIT_|KOTEF)/.test(name))
  const home = { HOME: folder, XDG_CONFIG_HOME: join(folder, '.config') }
  const path = [bin, env['PATH']].join(delimiter)
  return { ...Object.fromEntries(kept), ...DEMO_IDENTITY, ...home, PATH: path, NO_COLOR: '1', KOTEF_AUTOSTART: '0' }
}

const DEMO_IDENTITY = {
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_SYSTEM: '/dev/null',
  GIT_AUTHOR_NAME: 'Ada',
  GIT_AUTHOR_EMAIL: 'ada@example.com',
  GIT_COMMITTER_NAME: 'Ada',
  GIT_COMMITTER_EMAIL: 'ada@example.com',
}

/** Runs a line in a shell and collects stdout and stderr in the order in which they were printed. */
function runShellLine(command: string, { cwd, env }: DemoContext): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn('sh', ['-c', `exec 2>&1\n${command}`], { cwd, env, stdio: ['ignore', 'pipe', 'inherit'] })
    let output = ''
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString('utf8')))
    child.on('error', reject)
    child.on('close', code => resolve({ code, output }))
  })
}

/** One step of the demo: the command a user types, its exit code, and the comment above it. */
export type Step = { readonly command: string; readonly code: number; readonly why?: string }

const step = (command: string, { code = 0, why }: { code?: number; why?: string } = {}): Step =>
  why === undefined ? { command, code } : { command, code, why }

/** The main job, from an empty repository to the answer who wrote a line, and for what. It is docs/main-job.md. */
export const STORY: readonly Step[] = [
  step('git init --quiet --initial-branch=main && kotef init --yes --hooks git | head -1', {
    why: 'A new repository, governed by kotef, and an agent at work on an intent.',
  }),
  step("kotef intent add --id INT-001 --name 'Refunds' --scope 'src/**' --constraint 'DO NOT store cards'"),
  step("git add -A && git commit --quiet -m 'adopt kotef' -m 'Governance: adopt kotef'"),
  step('kotef intent start INT-001 --agent aider --model gpt-5 && kotef-watch --detach'),
  step("mkdir -p src lib && printf 'export function refund(cents) {\\n  return -cents\\n}\\n' > src/refund.ts", {
    why: 'The agent writes one file inside its scope and one outside.',
  }),
  step("echo 'export const rate = 0.2' > lib/tax.ts && kotef flush"),
  step("git add -A && git commit -m 'Add refunds'", { code: 1, why: 'The commit is refused. Nothing is lost.' }),
  step("git reset --quiet lib && git commit --quiet -m 'Add refunds' && git log -1 --format='%s%n%n%b'", {
    why: 'Without that file the commit passes, and its message names the intent.',
  }),
  step('kotef flush && kotef blame src/refund.ts', { why: 'Who wrote each line, and for what?' }),
  step('kotef why src/refund.ts:2'),
  step('grep src/refund.ts .orchestration/agent_trace.jsonl | head -1', {
    why: 'Each write is a line of the ledger: an Agent Trace record.',
  }),
  step('kotef trace verify && kotef watch --stop'),
]
