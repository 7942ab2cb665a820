import { branchTips } from '../diff/tips.ts'
import { commitNamed, isContained } from '../diff/range.ts'
import { KotefError } from '../report/failure.ts'
import { printable } from '../report/printable.ts'
import type { Found } from '../report/verification.ts'
import type { Range } from './range.ts'
import type { Workspace } from '../workspace/workspace.ts'

/** What a push brings: stretches of history to judge, and references that it may not move as it does. */
export type Pushed = { readonly ranges: readonly Range[]; readonly findings: readonly Found[] }

/** Reads what git tells a pre-receive hook: a line for each reference, with its old value and its new one. */
export async function pushed(workspace: Pick<Workspace, 'git'>, lines: string): Promise<Pushed> {
  const updates = lines.split('\n').flatMap(updateOf)
  const moves = updates.filter(it => APPEND_ONLY.test(it.name))
  const rewound = await Promise.all(moves.map(it => rewind(workspace, it)))
  const branches = updates.filter(it => it.anew !== null && !APPEND_ONLY.test(it.name) && !FREE.test(it.name))
  const ranges = await Promise.all(branches.map(it => rangeOf(workspace, it)))
  return { ranges: ranges.flat(), findings: rewound.flat() }
}

// What kotef itself keeps in references is only added to.
const APPEND_ONLY = /^refs\/(?:notes\/kotef$|notes\/kotef\/|kotef\/)/
const FREE = /^refs\/(?:tags|notes)\//

type Update = { readonly name: string; readonly old: string | null; readonly anew: string | null }

function updateOf(line: string): Update[] {
  if (line === '') return []
  const [, old = '', anew = '', name = ''] = /^([0-9a-f]{40,64}) ([0-9a-f]{40,64}) (.+)$/s.exec(line) ?? []
  if (name !== '') return [{ name, old: orNull(old), anew: orNull(anew) }]
  throw new KotefError('usage', `${printable(line)} is no line that git tells a pre-receive hook.`, {
    hint: 'Have git call it: see `docs/verify.md` for how the hook is put in place.',
  })
}

function orNull(oid: string): string | null {
  return /^0+$/.test(oid) ? null : oid
}

// What a tag alone has was never judged: a branch that is new brings it.
async function rangeOf({ git }: Pick<Workspace, 'git'>, { name, old, anew }: Update): Promise<Range[]> {
  const to = await git.tryAsk(commitNamed(anew ?? ''))
  if (to === null) return []
  if (old !== null) return [{ name, from: old, base: old, to, without: [old] }]
  // A server may name a branch as its own that nobody has ever pushed.
  const base = (await git.tryAsk(commitNamed('HEAD'))) ?? (await git.ask(branchTips(1)))[0] ?? null
  return [{ name, from: null, base, to, without: ['--branches'] }]
}

async function rewind({ git }: Pick<Workspace, 'git'>, { name, old, anew }: Update): Promise<Found[]> {
  if (old === null || (anew !== null && (await git.tryAsk(isContained(old, anew))))) return []
  const how = anew === null ? 'is to be deleted' : 'would lose what it has'
  return [
    {
      rule: 'notes-rewound',
      level: 'block',
      path: null,
      message: `${printable(name)} ${how}, and it may only be added to`,
      hint: `Fetch it, add to it, and push again: \`git fetch origin ${REF.test(name) ? name : "'refs/notes/*'"}\``,
      commit: null,
      subject: null,
    },
  ]
}

const REF = /^[\w./-]+$/
