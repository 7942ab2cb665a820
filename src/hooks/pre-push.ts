import { readFileSync } from 'node:fs'
import type { Finding } from '../findings/finding.ts'
import { askYamlHelper } from './ask-yaml-helper.ts'
import type { HookContext } from './hook-context.ts'

/** Judges the commits of a push. Git names the remote in the arguments, and the references on stdin. */
export function prePush(context: HookContext, [remote = '', url = '']: readonly string[]): Finding[] {
  return askYamlHelper<{ findings: Finding[] }>(context, ['judge-push', remote, url], readFileSync(0, 'utf8')).findings
}
