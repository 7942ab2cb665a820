#!/usr/bin/env node
// `kotef-watch` is `kotef watch`.
process.argv.splice(2, 0, 'watch')
void import('./main.ts')
