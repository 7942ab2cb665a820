import { readFileSync } from 'node:fs'
import { toKotefError } from '../report/failure.ts'
import { compile } from '../workspace/compile.ts'
import { heritageOf } from '../workspace/inherited.ts'
import { judgePush } from '../workspace/judge-push.ts'
import { registryMoves } from '../workspace/registry-moves.ts'
import { openRepository, type Workspace } from '../workspace/workspace.ts'

type Answering = (workspace: Workspace, args: readonly string[]) => Promise<unknown>

/**
 * The other half of the hooks, a program of its own: what takes YAML to answer. It lies beside the light one in the
 * folder that all worktrees share, so neither needs an installed package. It prints one JSON document.
 */
const QUESTIONS: Readonly<Record<string, Answering>> = {
  compile: async workspace => ({ compiled: await compile(workspace) }),
  'registry-moves': async (workspace, [before = '', after = '']) => ({
    moves: await registryMoves(workspace, before, after),
  }),
  inherited: async ({ git }, madeFrom) => {
    const commit = { oid: '', madeFrom }
    return { works: (await heritageOf(git, [commit], { rewrites: new Map() }))(commit) }
  },
  'judge-push': async (workspace, [remote = '', url = '']) => ({
    findings: await judgePush(workspace, { remote, url, lines: readFileSync(0, 'utf8') }),
  }),
}

async function answerTo([question = '', ...args]: readonly string[]): Promise<unknown> {
  const answering = QUESTIONS[question]
  if (!answering) throw new Error(`Nobody answers to ${question}.`)
  return answering(await openRepository(process.cwd()), args)
}

function failed(thrown: unknown): unknown {
  const { code, message, hint } = toKotefError(thrown)
  process.exitCode = 1
  return { error: { code, message, hint } }
}

void answerTo(process.argv.slice(2))
  .catch(failed)
  .then(answer => process.stdout.write(`${JSON.stringify(answer)}\n`))
