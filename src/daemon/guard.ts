import { identityOf } from '../io/identity.ts'
import type { Workspace } from '../workspace/workspace.ts'
import type { Post } from '../workspace/post.ts'

/** What became of the place of a daemon: it is gone, or something else stands there now. */
export type Fate = 'gone' | 'replaced'

export type Guard = Disposable & {
  /** Resolves when the place is left. */
  readonly left: Promise<Fate>
  /** True while the worktree, its git directory and the daemon's post are the ones that it began with. */
  stands(): Promise<boolean>
}

/** Looks now and then whether a daemon is still where it began. */
export async function guardPlace(
  { root, gitDir }: Pick<Workspace, 'root' | 'gitDir'>,
  post: Pick<Post, 'isHeld'>,
): Promise<Guard> {
  const identities = (): Promise<(string | null)[]> => Promise.all([root, gitDir].map(identityOf))
  const first = await identities()
  let fate: Fate | null = null
  let leave: (fate: Fate) => void
  const left = new Promise<Fate>(resolve => (leave = it => resolve((fate ??= it))))
  const stands = async (): Promise<boolean> => {
    const now = await identities()
    if (now.includes(null)) leave('gone')
    else if (now.some((it, n) => it !== first[n])) leave('replaced')
    return fate === null
  }
  const look = async (): Promise<void> => {
    if ((await stands()) && !(await post.isHeld()) && (await stands())) leave('replaced')
  }
  const timer = setInterval(() => void look(), LOOK_MS)
  return { left, stands, [Symbol.dispose]: () => clearInterval(timer) }
}

const LOOK_MS = 2_000
