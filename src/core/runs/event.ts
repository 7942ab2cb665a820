/** How a check ended. Only `passed` and `failed` say something about the tree. */
export type CheckResult = 'passed' | 'failed' | 'timeout' | 'error' | 'skipped' | 'stale'

/** A node of a graph handed over to another one. */
export type StepEvent = {
  readonly kind: 'step'
  readonly from: string
  readonly to: string
  readonly reason?: string
  /** How good the research is by now; a higher number is progress. */
  readonly researchQuality?: number
}

/** A tool call has ended. */
export type ToolEvent = {
  readonly kind: 'tool'
  readonly tool: string
  readonly args: unknown
  /** The key of tool and arguments, in their place, from a program that has seen them. */
  readonly key?: string
  /** What the call printed or returned. */
  readonly result: string
  /** The exit code of a command; null where a signal ended it. */
  readonly exit?: number | null
  /** True for a call that failed without an exit code. */
  readonly isError?: boolean
  readonly isTimeout?: boolean
  /** True for a call that waits for something by asking again and again. */
  readonly isPoll?: boolean
  /** The calls that an agent made at once have the same batch. */
  readonly batch?: string
  /** The id of the tree after the call. */
  readonly tree?: string
  /** What counts against the budget of a profile. */
  readonly does?: 'command' | 'test' | 'install'
  /** A command line that ran at the top of the worktree, by itself and to its end: it can be a check. */
  readonly line?: string
}

/** A file was edited; null stands for a missing file. The contents can be hashes. */
export type EditEvent = {
  readonly kind: 'edit'
  readonly path: string
  readonly before: string | null
  readonly after: string | null
}

/** A check of the definition of done has ended, on a tree. */
export type CheckEvent = {
  readonly kind: 'check'
  readonly id: string
  readonly command: string
  readonly result: CheckResult
  readonly output: string
  /** The signature of its error, in place of the output, from a program that has seen that. */
  readonly signature?: string
  readonly tree?: string
}

/** A compiler, linter or language server has something to say about the current tree. */
export type DiagnosticEvent = {
  readonly kind: 'diagnostic'
  readonly severity: 'error' | 'warning'
  readonly source: string
  readonly message: string
}

/** What happened in a run. An event of an unknown kind changes nothing. */
export type RunEvent =
  | StepEvent
  | ToolEvent
  | EditEvent
  | CheckEvent
  | DiagnosticEvent
  | { readonly kind: 'plan'; readonly steps: number; readonly next: string; readonly reason: string }
  | { readonly kind: 'message'; readonly from: 'person' | 'agent'; readonly text: string }
  /** The session works for another intent from now on. */
  | { readonly kind: 'intent'; readonly id: string }
  | { readonly kind: 'ticket'; readonly id: string; readonly state: 'open' | 'closed' }
  /** A constraint was broken, or a write was refused for it. A hard one ends the run at once. */
  | { readonly kind: 'violation'; readonly rule: string; readonly isHard: boolean; readonly detail: string }

/** True for a call that failed: by its exit code, by a signal, at a time limit, or by what the tool says of itself. */
export function hasFailed({ exit = 0, isError = false, isTimeout = false }: ToolEvent): boolean {
  return isError || isTimeout || exit !== 0
}
