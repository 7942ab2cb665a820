/** Why a call is refused, asked about, or watched. */
export type Reason = {
  readonly code:
    | 'intent-required'
    | 'claim-lost'
    | 'scope-violation'
    | 'governance-plane'
    | 'path-ignored'
    | 'path-forbidden'
    | 'path-malformed'
    | 'path-of-git'
    | 'path-outside'
    | 'path-in-worktree'
    | 'stale-file'
    | 'targets-unknown'
    | 'opaque-command'
    | 'interactive-shell'
    | 'governance-off'
    | 'orchestration-unavailable'
    | 'payload-unclear'
  readonly message: string
  readonly path: string | null
  readonly intent: string | null
  /** What the agent, or the person behind it, can do instead. */
  readonly hint: string
}
