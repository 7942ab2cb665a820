/** The verbs that `kotef help` lists, by what a person wants to do; `kotef help --all` has the others as well. */
export const HELP_GROUPS: Readonly<Record<string, readonly string[]>> = {
  Start: ['init', 'doctor', 'ui', 'demo'],
  Work: ['intent', 'status', 'scope', 'check', 'approve', 'mine'],
  Ask: ['blame', 'why', 'show', 'log', 'stats', 'where', 'trace'],
  Review: ['verify', 'report', 'classify'],
  Agents: ['select', 'context', 'session', 'runs', 'lesson', 'handover'],
}

/** What a command is about that only has verbs of its own. */
export const NOUNS: Readonly<Record<string, string>> = {
  intent: 'what is wanted: a scope, constraints, criteria, and how far it is',
  session: 'the work of one agent or person on an intent, from its selection to its end',
  runs: "the steps of an agent's session, and why it was stopped",
  lesson: 'a rule for agents that was learned from a failed check',
  handover: 'work that agents in several roles hand to each other by files',
  export: 'the ledger and the runs for another program, as telemetry',
}

/** The heading of the commands of no group. */
export const REST_HEADING = 'More:'

/** The heading of a command's group, and the place of the command in the whole list. */
export function helpGroupOf(name: string): { readonly heading: string; readonly place: number } {
  const row = Object.entries(HELP_GROUPS).flatMap(([title, names]) => names.map(it => ({ title, name: it })))
  const place = row.findIndex(it => it.name === name)
  return place < 0 ? { heading: REST_HEADING, place: row.length } : { heading: `${row[place]?.title}:`, place }
}
