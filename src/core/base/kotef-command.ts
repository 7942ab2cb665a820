/** Runs kotef in any folder: npx takes the installed package, and asks npm for kotef's own where there is none. */
export const KOTEF_ANYWHERE = 'npx -p kotef-watch kotef'
