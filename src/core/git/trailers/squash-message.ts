/** A commit as far as a squash of it has it. */
export type SquashedCommit = {
  readonly name: string
  readonly email: string
  readonly subject: string
  readonly body: string
}

/**
 * The message that a forge proposes for the squash of a pull request: a bullet with each commit's whole message, oldest
 * first, and at the end the authors besides the first one.
 */
export function squashMessage(title: string, commits: readonly SquashedCommit[]): string {
  const parts = commits.map(({ subject, body }) => [`* ${subject}`, body.trim()].filter(it => it !== '').join('\n\n'))
  const [first] = commits
  const others = commits.filter(it => it.email !== first?.email)
  const authors = [...new Set(others.map(({ name, email }) => `Co-authored-by: ${name} <${email}>`))]
  const end = authors.length === 0 ? [] : ['---------', authors.join('\n')]
  return `${[title, ...parts, ...end].join('\n\n')}\n`
}

/** The text of a commit object. Its author is that of the first commit that is squashed; its dates say nothing. */
export function squashObject(tree: string, parent: string, commits: readonly SquashedCommit[]): string {
  const [first = NOBODY] = commits
  const who = `${plain(first.name) || 'unknown'} <${plain(first.email)}> 0 +0000`
  const header = [`tree ${tree}`, `parent ${parent}`, `author ${who}`, `committer ${who}`]
  return `${header.join('\n')}\n\n${squashMessage(first.subject, commits)}`
}

const NOBODY: SquashedCommit = { name: '', email: '', subject: '', body: '' }

function plain(text: string): string {
  return text.replace(/[<>\n\0]/g, '').trim()
}
