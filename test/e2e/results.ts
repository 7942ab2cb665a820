import type { Repo } from '../rig/repo.ts'

export type ListedSession = { readonly id: string; readonly intent: string; readonly agent: string | null }

/** The sessions of the worktree, as kotef lists them. */
export async function listSessions(repo: Repo): Promise<readonly ListedSession[]> {
  const { stdout } = await repo.kotef('session', 'list', '--json')
  return (JSON.parse(stdout) as { sessions: readonly ListedSession[] }).sessions
}

/** Whose each line of a file is: `<contributor> <intent>`. */
export async function lineAuthors(repo: Repo, path: string): Promise<string[]> {
  const { stdout } = await repo.kotef('blame', '--json', path)
  const { lines = [] } = JSON.parse(stdout) as { lines?: readonly BlamedLine[] }
  return lines.map(it => `${it.contributor.type} ${it.intent}`)
}

type BlamedLine = { readonly intent: string | null; readonly contributor: { readonly type: string } }

/** Whose each write of a file is: `<attribution> <session> <model> <intent>`, read as anybody can read the ledger. */
export async function fileCredits(repo: Repo, path: string): Promise<string[]> {
  const lines = (await repo.read('.orchestration/agent_trace.jsonl')).trim().split('\n')
  return lines
    .map(it => JSON.parse(it) as TraceLine)
    .flatMap(({ metadata, files }) => {
      const talks = files.filter(it => it.path === path).flatMap(it => it.conversations)
      return talks.map(it => creditIn(metadata['dev.kotef'].attribution, it))
    })
}

function creditIn(attribution: string | undefined, { url = '', contributor, related }: Conversation): string {
  return [attribution, url.replace(/.*\//, ''), contributor.model_id ?? '-', related[0]?.value].join(' ')
}

type Conversation = {
  readonly url?: string
  readonly contributor: { readonly model_id?: string }
  readonly related: readonly { readonly value: string }[]
}

type TraceLine = {
  readonly metadata: { readonly 'dev.kotef': { readonly attribution?: string } }
  readonly files: readonly { readonly path: string; readonly conversations: readonly Conversation[] }[]
}
