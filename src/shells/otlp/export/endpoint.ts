import { basename } from 'node:path'
import { KotefError } from '../../../core/base/failure.ts'
import { VERSION } from '../../../world/io/files/package.ts'
import type { OtlpTarget, SignalUrls } from '../sending/otlp-target.ts'
import type { Attributes } from '../records/signals.ts'
import { telemetryText } from '../records/attribute-names.ts'
import type { Workspace } from '../../../world/io/worktree/workspace.ts'

/** A receiver of telemetry. */
export type ExportEndpoint = {
  readonly urls: SignalUrls
  /** What the name of its cursor is made of. */
  readonly key: string
  /** Its address, as it may be printed: without a password or a token. */
  readonly shown: string
  /** The signals that the environment does not switch off. */
  readonly signals: Readonly<Record<keyof SignalUrls, boolean>>
}

type Environment = Readonly<Record<string, string | undefined>>

/** The receiver that a call names, or the standard variables of OpenTelemetry. */
export function exportEndpoint(named: string | null, env: Environment): ExportEndpoint {
  const signals = {
    logs: isOn(env['OTEL_LOGS_EXPORTER']),
    spans: isOn(env['OTEL_TRACES_EXPORTER']),
    metrics: isOn(env['OTEL_METRICS_EXPORTER']),
  }
  if (named !== null) {
    const base = requireUrl(named, '--endpoint')
    const path = (signal: string): string => `${base.href.replace(/\/$/, '')}/v1/${signal}`
    const urls = { logs: path('logs'), spans: path('traces'), metrics: path('metrics') }
    return { urls, key: base.href, shown: shownUrl(base), signals }
  }
  const found = URL_VARIABLES.flatMap(it => (env[it] ? [[it, requireUrl(env[it], it)] as const] : []))
  const [first] = found
  if (!first) throw new KotefError('usage', 'An export needs a receiver.', { hint: NAME_ONE })
  const key = found.map(([name, url]) => `${name}=${url.href}`).join('\n')
  return { urls: { logs: null, spans: null, metrics: null }, key, shown: shownUrl(first[1]), signals }
}

const NAME_ONE = 'Name one: `kotef export otlp --endpoint http://localhost:4318`, or set OTEL_EXPORTER_OTLP_ENDPOINT.'

const URL_VARIABLES = [
  ...['OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_EXPORTER_OTLP_LOGS_ENDPOINT'],
  ...['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'OTEL_EXPORTER_OTLP_METRICS_ENDPOINT'],
]

function isOn(variable: string | undefined): boolean {
  return variable?.trim().toLowerCase() !== 'none'
}

function requireUrl(text: string, name: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url && /^https?:$/.test(url.protocol) && url.hash === '' && (url.search === '' || !name.startsWith('-')))
    return url
  throw new KotefError('usage', `${name} takes the URL of a receiver for OTLP over HTTP, such as http://localhost:4318`)
}

function shownUrl({ origin, pathname }: URL): string {
  return `${origin}${pathname === '/' ? '' : pathname}`
}

/** Where the telemetry of a worktree goes, and what it says of its origin. `id` is that of the cursor. */
export async function otlpTarget({ git, root }: Workspace, { urls }: ExportEndpoint, id: string): Promise<OtlpTarget> {
  const remote = await git.tryAsk({ args: ['config', '--get', 'remote.origin.url'], parse: out => out.trim() })
  const url = withoutPassword(remote ?? '')
  const resource: Attributes = {
    'service.name': 'kotef',
    'service.version': VERSION,
    'service.instance.id': id,
    'vcs.repository.name': telemetryText(basename(url === '' ? root : url, '.git')),
    ...(url === '' ? {} : { 'vcs.repository.url.full': telemetryText(url) }),
  }
  return { urls, resource, version: VERSION }
}

// A remote on this machine is a path, which says nothing to a receiver.
function withoutPassword(remote: string): string {
  if (/^[\w.-]+@[\w.-]+:/.test(remote)) return remote
  const url = URL.canParse(remote) ? new URL(remote) : null
  if (!url || !/^(https?|ssh|git):$/.test(url.protocol)) return ''
  return `${url.protocol}//${url.host}${url.pathname}`
}
