import { spawn } from 'node:child_process'
import { chmod, mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { packageFile } from '../io/files/package.ts'
import { KotefError } from '../findings/failure.ts'
import { type Step, STORY } from './demo-story.ts'
import type { VerbCall, RunVerb } from './verb.ts'

/** `kotef demo`: plays the steps of `demo-story.ts` in a temporary repository. */
export const run: RunVerb = async call => {
  const folder = await mkdtemp(join(await realpath(tmpdir()), 'kotef-demo-'))
  const context = { cwd: join(folder, 'shop'), env: await demoEnv(folder, call.env) }
  await mkdir(context.cwd)
  try {
    const outputs: { command: string; output: string; code: number }[] = []
    for (const step of STORY) outputs.push(await playStep(step, context, call))
    if (!call.options['json']) call.print('That was the main job. Begin in your own repository with `npx kotef init`.')
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
  return { ...Object.fromEntries(kept), ...DEMO_IDENTITY, ...home, PATH: path, NO_COLOR: '1' }
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
