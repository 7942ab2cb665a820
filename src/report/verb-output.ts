/** What a verb answers: the same thing for people and for programs. */
export type VerbOutput = {
  readonly text: string
  readonly json: unknown
  /** 0 fine, 1 findings that block, 2 what stops an agent; errors are thrown. */
  readonly exit?: 0 | 1 | 2
}
