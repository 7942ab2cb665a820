import { setTimeout as waitFor } from 'node:timers/promises'
import { KotefError } from '../../../core/base/failure.ts'
import { packageFile } from '../../../world/io/files/package.ts'
import { ChildProgram, type NoAnswer, type ProgramLimits } from '../../../world/io/process/child-program.ts'
import type { PageFrame } from '../pages/layout.tsx'
import { PARSER_START_MS_MAX } from '../../../core/base/thresholds.ts'
import type { Workspace } from '../../../world/io/worktree/workspace.ts'

/** A page to make: the worktree, and what is around the page, with its address. */
export type PageOrder = { readonly root: string; readonly frame: PageFrame }

/** A page as a document, with the status of the answer to a request for it. */
export type MadePage = { readonly status: number; readonly html: string }

/**
 * Makes pages in a process of its own: what a long history takes of time and memory, it takes there. The process starts
 * with the first page, and ends after some minutes without one.
 */
export type PageMaker = Disposable & {
  /** A page; for how many seconds it has been made, when it is not ready soon. Throws when it can't be made. */
  make(frame: PageFrame): Promise<MadePage | number>
}

// The process may have to start. Then the answer is a page that asks again.
const PAGE_MAKING_WAIT_MS_MAX = 1_000
// A very long file takes some seconds.
const PAGE_MAKING_MS_MAX = 300_000
// What it knows serves the next pages, and takes memory.
const PAGE_MAKER_IDLE_MS = 300_000

// Within this limit a file of 200,000 lines has its page, also where no commit has a note.
const LIMITS: ProgramLimits = {
  answerMsMax: PAGE_MAKING_MS_MAX,
  startMsMax: PARSER_START_MS_MAX,
  heapMiB: 512,
  idleMsMax: PAGE_MAKER_IDLE_MS,
}

type Ordered = { readonly page: Promise<MadePage | NoAnswer>; readonly at: number }

/** Opens the maker of a worktree's pages. */
export function openPageMaker({ root, clock }: Pick<Workspace, 'root' | 'clock'>): PageMaker {
  const child = new ChildProgram<PageOrder, MadePage>(
    { file: packageFile('dist/ui-server.cjs'), args: ['make'] },
    LIMITS,
  )
  const ordered = new Map<string, Ordered>()
  const order = (frame: PageFrame): Ordered => {
    const page = child.ask({ root, frame }).finally(() => ordered.delete(frame.here))
    return { page, at: clock.ticks() }
  }
  return {
    async make(frame) {
      // What runs on after an answer may have ended it: made again, it would end again.
      if (child.hasDied) {
        child[Symbol.dispose]()
        throw failure('died')
      }
      // A browser that asks again waits for the same page.
      const { page, at } = ordered.get(frame.here) ?? order(frame)
      ordered.set(frame.here, { page, at })
      const made = await Promise.race([page, waitFor(PAGE_MAKING_WAIT_MS_MAX, null, { ref: false })])
      if (made === null) return Math.floor((clock.ticks() - at) / 1000)
      if (typeof made === 'string') throw failure(made)
      return made
    },
    [Symbol.dispose]: () => child[Symbol.dispose](),
  }
}

function failure(why: NoAnswer): KotefError {
  const message =
    why === 'timeout'
      ? `The page was not ready within ${PAGE_MAKING_MS_MAX / 60_000} minutes.`
      : `The process that makes pages ended: it may need more than ${LIMITS.heapMiB} MiB of memory, its limit.`
  return new KotefError('ui-failed', message, { hint: 'Reload the page to try again.' })
}
