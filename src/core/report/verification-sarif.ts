import type { Finding } from '../base/finding.ts'
import { REGISTRY_PATH } from '../base/governance-files.ts'
import { sha256Hex } from '../base/sha256.ts'
import type { CommitFinding, Verification } from './verification.ts'

/** A verification as SARIF 2.1.0, which forges show beside the lines of a change. */
export function verificationSarif({ findings }: Pick<Verification, 'findings'>, version: string): string {
  const rules = [...new Set(findings.map(it => it.rule))].sort()
  const log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'kotef', version, rules: rules.map(ruleOf) } },
        columnKind: 'utf16CodeUnits',
        invocations: [{ executionSuccessful: true }],
        results: findings.map(it => sarifResult(it, rules.indexOf(it.rule))),
      },
    ],
  }
  return JSON.stringify(log, null, 2)
}

function ruleOf(id: string) {
  return { id, help: { text: `For its meaning and the way out run: \`kotef explain ${id}\`` } }
}

function sarifResult(found: CommitFinding, ruleIndex: number) {
  const { rule, level, path, message, hint, commit, subject } = found
  const where = commit === null ? '' : `${commit.slice(0, 10)} (${subject ?? ''}): `
  return {
    ruleId: rule,
    ruleIndex,
    level: SARIF_LEVELS[level],
    message: { text: `${where}${message}. ${hint}`.trim() },
    locations: [{ physicalLocation: { artifactLocation: locationOf(path), region: { startLine: 1 } } }],
    partialFingerprints: { 'kotef/v1': fingerprintOf(found) },
    ...(commit === null ? {} : { properties: { commit } }),
  }
}

const SARIF_LEVELS: Readonly<Record<Finding['level'], string>> = {
  block: 'error',
  warn: 'warning',
  review: 'warning',
  observe: 'note',
}

// Forges drop a result without a location, so a finding about no file is shown at the registry.
function locationOf(path: string | null) {
  const uri = (path ?? REGISTRY_PATH).split('/').map(encodeURIComponent).join('/')
  return { uri, uriBaseId: '%SRCROOT%' }
}

function fingerprintOf({ rule, path, commit, message }: CommitFinding): string {
  return sha256Hex(JSON.stringify([rule, path, commit, message])).slice(0, 32)
}
