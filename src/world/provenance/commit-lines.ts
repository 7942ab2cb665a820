import type { LineIntent } from '../../core/authorship/line-intent.ts'
import type { LoggedCommit } from '../../core/git/log.ts'
import type { ChangeClass } from '../../core/ledger/mutation-class.ts'
import type { Contributor } from '../../core/ledger/record.ts'
import type { Authorship } from '../../core/ledger/commit-record.ts'
import type { AddedLine } from './added-lines.ts'

/**
 * The author of lines, as far as they are counted: the intent, the kind of author, and the model of an agent; `kotef`
 * for the generated parts of its own files.
 */
export type LineOwner = LineIntent & {
  readonly type: Contributor['type'] | 'kotef'
  /** Null for any author but an agent, and for an agent whose model was not recorded. */
  readonly model: string | null
}

/** Consecutive lines that a commit added to a path: `lines` lines from `line` on (1-based), all of one author. */
export type AddedRange = {
  readonly path: string
  readonly line: number
  readonly lines: number
  readonly owner: LineOwner
}

/** A commit whose lines are counted, with them. */
export type CommitLines = Pick<LoggedCommit, 'commit' | 'subject' | 'author' | 'intents'> & {
  /** The committer's date, in milliseconds since 1970. */
  readonly at: number
  readonly isNoted: boolean
  readonly ranges: readonly AddedRange[]
  /** The class of each changed path, where its note has one. */
  readonly classes: ReadonlyMap<string, ChangeClass>
}

/** Collects added lines as ranges. Equal owners are one object, because a history has many ranges and few owners. */
export class RangeCollector {
  readonly #owners = new Map<string, LineOwner>()
  readonly #ranges = new Map<string, { path: string; line: number; lines: number; owner: LineOwner }[]>()

  add({ commit, path, line, author, isOwn }: AddedLine): void {
    const owner = this.#ownerOf(author, isOwn)
    const ranges = this.#ranges.get(commit) ?? []
    const last = ranges.at(-1)
    if (last?.owner === owner && last.path === path && last.line + last.lines === line) last.lines++
    else ranges.push({ path, line, lines: 1, owner })
    this.#ranges.set(commit, ranges)
  }

  rangesOf(commit: string): readonly AddedRange[] {
    return this.#ranges.get(commit) ?? []
  }

  #ownerOf({ intent, contributor }: Authorship, isOwn: boolean): LineOwner {
    const type = isOwn ? 'kotef' : contributor.type
    const model = type === 'ai' ? (contributor.model_id ?? null) : null
    const key = JSON.stringify([intent, type, model])
    const owner = this.#owners.get(key) ?? { intent, type, model }
    this.#owners.set(key, owner)
    return owner
  }
}
