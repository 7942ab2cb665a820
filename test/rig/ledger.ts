import type { Repo } from './repo.ts'

/** What each line of a repository's ledger tells, oldest first. */
export async function toldEvents(repo: Repo): Promise<Record<string, unknown>[]> {
  const text = await repo.read('.orchestration/agent_trace.jsonl').catch(() => '')
  const lines = text.split('\n').slice(0, -1)
  return lines.map(line => JSON.parse(line).metadata['dev.kotef'] as Record<string, unknown>)
}
