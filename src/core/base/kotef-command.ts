/** Runs kotef in any folder: npx takes the installed package, and asks npm for kotef's own where there is none. */
export const KOTEF_ANYWHERE = 'npx -p kotef-watch kotef'

/** A command for a person to paste: it runs in every clone, and npx takes it for no other package. */
export function pastedCommand(command: string): string {
  return command.replace(/^kotef (?=[a-z])/, 'npx kotef-watch ')
}
