#!/usr/bin/env node
// `kotef-watch <verb>` is `kotef <verb>`, so that `npx kotef-watch verify` needs no second name; without a verb it
// watches.
const [first = '-'] = process.argv.slice(2)
if (first.startsWith('-') && first !== '--version') process.argv.splice(2, 0, 'watch')
void import('./main.ts')
