/**
 * Runs kotef in any folder: npx takes the installed package, and asks npm for kotef's own where there is none. The name
 * is the package's: `npx kotef` would ask npm for a package of another name.
 */
export const KOTEF_ANYWHERE = 'npx kotef-watch'

/** A text for a person, in which each command to paste begins with what this person types. */
export function withTypedName(text: string, name: string): string {
  return name === 'kotef' ? text : text.replace(/(`|&& )kotef (?=[a-z])/g, `$1${name} `)
}

/** A command for a person to paste: it runs in every clone, and npx takes it for no other package. */
export function pastedCommand(command: string): string {
  return command.replace(/^kotef (?=[a-z])/, `${KOTEF_ANYWHERE} `)
}
