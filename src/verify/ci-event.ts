/** What a pipeline runs for. */
export type CiEvent = {
  readonly name: string
  /** The commit that it begins at; null for what is new. */
  readonly from: string | null
  readonly to: string
  /** The branch that others begin at, where what is new is compared with it; null on that branch itself. */
  readonly trunk: string | null
}

/** What GitHub tells in the file of an event; null when that is about no commits. */
export function eventOfGithub(name: string, payload: string): CiEvent | null {
  const event = objectIn(payload)
  const at = (...path: string[]) => textAt(event, path)
  const own = { name: name.replace(/[^\w-]/g, ''), trunk: null }
  switch (name) {
    case 'pull_request':
    case 'pull_request_target':
      return eventOf({ ...own, from: at('pull_request', 'base', 'sha'), to: at('pull_request', 'head', 'sha') })
    case 'merge_group':
      return eventOf({ ...own, from: at('merge_group', 'base_sha'), to: at('merge_group', 'head_sha') })
    case 'push': {
      const trunk = at('repository', 'default_branch')
      const isTrunk = at('ref') === `refs/heads/${trunk}`
      return eventOf({ ...own, from: at('before'), to: at('after'), trunk: isTrunk ? null : trunk })
    }
    default:
      return null
  }
}

/** What GitLab tells in the environment; null when that is about no commits. */
export function eventOfGitlab(env: NodeJS.ProcessEnv): CiEvent | null {
  const { CI_MERGE_REQUEST_DIFF_BASE_SHA: base, CI_COMMIT_BEFORE_SHA: before, CI_COMMIT_SHA: sha } = env
  if (sha === undefined) return null
  if (base !== undefined) return eventOf({ name: 'merge_request', from: base, to: headOf(env) ?? sha, trunk: null })
  const { CI_DEFAULT_BRANCH: trunk, CI_COMMIT_BRANCH: branch } = env
  return eventOf({ name: 'push', from: before ?? null, to: sha, trunk: trunk && trunk !== branch ? trunk : null })
}

// A pipeline of merged results runs on a commit that GitLab made up.
function headOf({ CI_MERGE_REQUEST_SOURCE_BRANCH_SHA: sha }: NodeJS.ProcessEnv): string | null {
  return sha ? sha : null
}

type Told = Omit<CiEvent, 'to'> & { readonly to: string | null }

// Others write what is in an event: it names commits and a branch, or nothing.
function eventOf({ name, from, to, trunk }: Told): CiEvent | null {
  if (to === null || !OID.test(to) || NOTHING.test(to)) return null
  if (from !== null && !OID.test(from)) return null
  const isNew = from === null || NOTHING.test(from)
  return { name, from: isNew ? null : from, to, trunk: trunk !== null && BRANCH.test(trunk) ? trunk : null }
}

const OID = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/
const NOTHING = /^0+$/
const BRANCH = /^[\w.][\w./-]*$/

function objectIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function textAt(value: unknown, path: readonly string[]): string | null {
  const found = path.reduce<unknown>((it, key) => (Object(it) as Record<string, unknown>)[key], value)
  return typeof found === 'string' ? found : null
}
