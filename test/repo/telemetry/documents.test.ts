import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ATTRIBUTE_NAMES, RESOURCE_ATTRIBUTES } from '../../../src/shells/otlp/records/attribute-names.ts'
import { METRICS } from '../../../src/shells/otlp/records/counters.ts'
import { repositoryRoot } from '../../rig/packed-kotef.ts'

const page = readFileSync(join(repositoryRoot, 'docs/export.md'), 'utf8')
const named = new Set([...page.matchAll(/`([a-z_]+(?:\.[a-z_]+)+)`/g)].map(it => it[1]))
const attributes: readonly string[] = Object.values(ATTRIBUTE_NAMES)

test('docs/export.md names every attribute and counter, and none that does not exist', () => {
  const sent = [...attributes, ...RESOURCE_ATTRIBUTES, ...Object.keys(METRICS)]
  expect(sent.filter(it => !named.has(it))).toEqual([])
  const ofEvents = ['kotef.write', 'kotef.violation', 'kotef.problem', 'kotef.refusal', 'kotef.session', 'kotef.run']
  const known = new Set([...sent, ...ofEvents])
  expect([...named].filter(it => it?.startsWith('kotef.') && !known.has(it))).toEqual([])
})

test('docs/export.md has the attributes of each counter', () => {
  for (const [name, { by }] of Object.entries(METRICS)) {
    const row = page
      .split('\n')
      .find(it => it.startsWith('|') && it.includes('| counts |') === false && RegExp(`^\\|[^|]*\`${name}\``).test(it))
    const missing = by.filter(it => !row?.includes(`\`${ATTRIBUTE_NAMES[it]}\``))
    expect([name, missing]).toEqual([name, []])
  }
})

type Target = { readonly refId: string; readonly expr: string; readonly datasource: { readonly uid: string } }
type Panel = {
  readonly id: number
  readonly type: string
  readonly title: string
  readonly gridPos: Readonly<Record<'x' | 'y' | 'w' | 'h', number>>
  readonly targets: readonly Target[]
}
type Dashboard = {
  readonly __inputs: readonly { readonly name: string; readonly type: string; readonly pluginId: string }[]
  readonly __requires: readonly { readonly type: string; readonly id: string }[]
  readonly id: null
  readonly uid: string
  readonly title: string
  readonly schemaVersion: number
  readonly panels: readonly Panel[]
  readonly templating: { readonly list: readonly { readonly name: string; readonly definition: string }[] }
}

const dashboard = JSON.parse(readFileSync(join(repositoryRoot, 'docs/grafana-kotef.json'), 'utf8')) as Dashboard
const underscored = (name: string): string => name.replace(/[^a-zA-Z0-9]/g, '_')
// As Prometheus and Loki name them.
const metricNames = new Map(Object.entries(METRICS).map(([name, it]) => [`${underscored(name)}_total`, it]))
const labels = new Set([...attributes, ...RESOURCE_ATTRIBUTES].map(underscored))

test('the dashboard can be imported: it asks for its datasources, and its panels are in places of their own', () => {
  const { __inputs: inputs, __requires: requires, panels } = dashboard
  expect([dashboard.id, dashboard.uid, dashboard.schemaVersion >= 36]).toEqual([null, 'kotef', true])
  expect(inputs.map(it => [it.name, it.type])).toEqual([
    ['DS_PROMETHEUS', 'datasource'],
    ['DS_LOKI', 'datasource'],
  ])
  const uids = inputs.map(it => `\${${it.name}}`)
  expect(panels.flatMap(it => it.targets).filter(it => !uids.includes(it.datasource.uid))).toEqual([])
  expect(new Set(panels.map(it => it.id)).size).toBe(panels.length)
  const types = new Set(requires.filter(it => it.type === 'panel').map(it => it.id))
  expect(panels.filter(it => !types.has(it.type))).toEqual([])
  const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
    Array.from({ length: w * h }, (_, n) => `${x + (n % w)} ${y + Math.floor(n / w)}`),
  )
  expect([new Set(cells).size, panels.every(it => it.gridPos.x + it.gridPos.w <= 24)]).toEqual([cells.length, true])
})

test('the dashboard shows writes by author, violations by rule, refusals, sessions and stopped runs', () => {
  const titles = dashboard.panels.map(it => it.title.toLowerCase()).join('\n')
  for (const it of ['writes by author', 'violations by rule', 'refused writes', 'sessions', 'runs stopped'])
    expect(titles).toContain(it)
})

test('every metric and label of the dashboard is one that the export sends, and a label one of its metric', () => {
  const texts = dashboard.templating.list.map(it => it.definition)
  const targets = dashboard.panels.flatMap(it => it.targets)
  for (const expression of [...texts, ...targets.map(it => it.expr)]) {
    const names = [...expression.matchAll(/\b(?:kotef|gen_ai|vcs|service|session|file)_[a-z_]+/g)].map(it => it[0])
    const metrics = names.filter(it => it.endsWith('_total'))
    const own = new Set(
      metrics.flatMap(it => metricNames.get(it)?.by ?? []).map(it => underscored(ATTRIBUTE_NAMES[it])),
    )
    expect(names.length, expression).toBeGreaterThan(0)
    expect(
      metrics.filter(it => !metricNames.has(it)),
      expression,
    ).toEqual([])
    const allowed = metrics.length > 0 ? own : labels
    expect(
      names.filter(it => !it.endsWith('_total') && !allowed.has(it)),
      expression,
    ).toEqual([])
  }
})
