import { join } from 'node:path'
import { systemClock } from '../../src/world/io/process/clock.ts'
import { runAgentHook } from '../rig/agent-hooks.ts'
import { runCli } from '../rig/command-line.ts'
import { governedRepo } from '../rig/governed-repo.ts'
import { writeSession } from '../rig/handover/handover-repo.ts'
import { sessionIn } from '../rig/handover/session-files.ts'
import { runCliOrThrow } from '../rig/hooked-repo.ts'
import type { Repo } from '../rig/repo.ts'
import { selectOrThrow } from '../rig/selection.ts'

const TICKET = '# Ticket: 01 Pay\n\n## Non-goals\n\n- no `api`\n\n## Definition of Done\n\n- [ ] `npm test` passes\n'
const KOTEF_MD =
  '# KOTEF\n\n## Constraints\n\n- DO NOT change more than 5 files.\n\n## Forbidden Paths\n\n- `src/secret/**`: keys\n'

/** A repository with every file that kotef reads: a session of an agent on INT-001, and `lib/b.ts` staged. */
export async function damageableRepo(): Promise<Repo> {
  const repo = await governedRepo({ 'src/a.ts': 'a\n', 'lib/b.ts': 'b\n' })
  const intent = '{ id: INT-002, name: two, status: PENDING, owned_scope: ["docs/**"] }\n'
  await repo.write('.orchestration/intents/INT-002.yaml', intent)
  await repo.write('.orchestration/config.yaml', 'version: 1\nrides: ["package-lock.json"]\nruns: { profile: "off" }\n')
  await repo.write('.sdd/KOTEF.md', KOTEF_MD)
  await repo.write('.intentignore', '# none\nsrc/never/\n!src/never/x\n')
  await repo.write('ticket.md', TICKET)
  writeSession(repo, sessionIn('IMPLEMENT_LOOP'))
  await runCliOrThrow(repo, 'lesson', 'add', 'ask before a rename', '--path', 'src/**')
  await repo.git('add', '--all')
  await repo.git('-c', 'core.hooksPath=/dev/null', 'commit', '--quiet', '-m', 'all', '-m', 'Governance: all')
  await selectOrThrow(repo, { clock: systemClock })
  await runAgentHook(repo, 'claude', writePayload(repo, 'src/a.ts'))
  await repo.write('src/a.ts', 'a\nb\n')
  await runAgentHook(repo, 'claude', writePayload(repo, 'src/a.ts').replace('PreToolUse', 'PostToolUse'))
  await repo.git('commit', '--quiet', '-am', 'work', '-m', 'Intent-ID: INT-001')
  for (const words of ONCE) await runCli(repo, ...words)
  await repo.write('lib/b.ts', 'b\nx\n')
  await repo.git('add', 'lib/b.ts')
  return repo
}

// Each writes what it keeps.
const ONCE = [['map'], ['contract', 'INT-001', '--ticket', 'ticket.md'], ['blame', 'src/a.ts'], ['log'], ['status']]

/** What Claude Code tells its hook before it writes a file. */
export function writePayload(repo: Repo, path: string): string {
  const base = { session_id: 's', cwd: repo.root, hook_event_name: 'PreToolUse', tool_use_id: 'c' }
  return JSON.stringify({ ...base, tool_name: 'Write', tool_input: { file_path: join(repo.root, path), content: 'x' } })
}
