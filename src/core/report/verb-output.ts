/** The answer of a verb: as text and as JSON. */
export type VerbOutput = {
  readonly text: string
  readonly json: unknown
  /** Set for an answer that a person reads at length: at a terminal it has colours, and a pager like that of git. */
  readonly forReading?: 'blame' | 'list'
  /** 0 fine, 1 findings that block, 2 stops an agent, 4 the run was stopped. Errors are thrown. */
  readonly exit?: 0 | 1 | 2 | 4
}
