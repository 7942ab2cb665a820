/** A report or an entry of an earlier version, without the lines that have texts of calls, outputs and agents. */
export function withoutOldTexts(report: string): string {
  const lines = report.split('\n').filter(it => !WITH_TEXTS.test(it))
  return lines.map(it => it.replace(WITH_EVIDENCE, '$1$2')).join('\n')
}

const WITH_TEXTS = /^(?:- (?:Evidence|Last reason|Last command|Last result|step \d+): | {2}- )/
const WITH_EVIDENCE = /^(- (?:Loop|Constraint): )"?([a-z-]+): .*$/
