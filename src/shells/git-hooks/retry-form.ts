import { relative } from 'node:path/posix'
import type { RetryForm, StagedFacts } from '../../core/rules/commit-facts.ts'
import { literalPathspec } from '../../core/rules/hints.ts'
import { CUT_LINE } from '../../core/git/trailers/parse-trailers.ts'
import type { CommitMessage } from './commit-message.ts'
import type { HookContext } from './hook-context.ts'

type AmendingFacts = StagedFacts & { readonly amends: boolean }

/** How to make this commit again: git keeps the message, and with `-a` or paths it has put the index back. */
export function retryForm(context: HookContext, message: CommitMessage, facts: AmendingFacts): RetryForm {
  const { prefix, hasEditor } = context
  const { file, text } = message
  const diff = text.includes(`${CUT_LINE}\n`) ? 'v' : ''
  return {
    messageFile: file.startsWith('/') ? file : relative(`/${prefix}`, `/${file}`),
    editor: hasEditor ? `${diff}e` : '',
    words: `${facts.amends ? ' --amend' : ''}${pathWords(facts, prefix)}`,
  }
}

// For `-a`, `-i` and paths git makes the commit from an index of its own, which it drops again.
function pathWords({ changes }: StagedFacts, prefix: string): string {
  if (!/(?:^|\/)(?:index|next-index-\d+)\.lock$/.test(process.env['GIT_INDEX_FILE'] ?? '')) return ''
  if (changes.length > PATHS_MAX) return ' -a'
  return [' --', ...changes.map(it => literalPathspec(it.path, { fromTop: prefix !== '' }))].join(' ')
}

// A longer list is hard to read.
const PATHS_MAX = 6
