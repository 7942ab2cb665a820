import { readFileSync } from 'node:fs'

/** Commands that only read, as developers and agents write them every day. */
export const dailyReading: readonly string[] = readFileSync('test/core/agents/gate/daily-reading.txt', 'utf8')
  .split('\n')
  .filter(it => it !== '' && !it.startsWith('//'))
  .map(it => it.replaceAll('⏎', '\n'))
