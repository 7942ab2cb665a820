import { parseXml, type XmlElement } from '@rgrove/parse-xml'
import type { ContextFacts } from '../../src/core/agents/context/facts.ts'
import type { Intent } from '../../src/core/intents/intent.ts'

/** The facts of a small intent, with some of them replaced. */
export function contextFacts(intent: Partial<Intent>, more: Partial<ContextFacts> = {}): ContextFacts {
  const forbidden = { forbidden: ['secrets/**'], intentignore: ['*.pem'], governance: ['.husky/**'] }
  return {
    intent: { ...SMALL, ...intent },
    forbidden,
    files: [],
    history: [],
    lessons: [],
    conflicts: [],
    projectConstraints: [],
    ...more,
  }
}

const SMALL: Intent = {
  id: 'INT-001',
  name: 'refunds',
  description: 'Money goes back.',
  status: 'IN_PROGRESS',
  owned_scope: ['src/pay/**', '!src/pay/old/**'],
  constraints: ['DO NOT round'],
  acceptance_criteria: ['A person was paid', { cmd: 'npm test' }],
  appetite: 'Small',
  non_goals: ['vouchers'],
  related_specs: [{ type: 'doc', url: 'docs/pay.md' }],
  depends_on: ['INT-000'],
  created_at: null,
  updated_at: null,
}

/** An element as a reader of XML sees it. */
export type XmlNode = {
  readonly name: string
  readonly text: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: readonly XmlNode[]
}

/** Reads XML by a parser that kotef has no part in; throws at what is not well-formed. */
export function readXml(text: string): XmlNode {
  const { root } = parseXml(text)
  if (!root) throw new Error('There is no element.')
  return readElement(root)
}

function readElement(element: XmlElement): XmlNode {
  const children = element.children.filter(it => it.type === 'element') as XmlElement[]
  return { name: element.name, text: element.text, attributes: element.attributes, children: children.map(readElement) }
}

/** The texts of the entries of a part. */
export function entryTexts({ children }: XmlNode, part: string): string[] {
  return children.find(it => it.name === part)?.children.map(it => it.text) ?? []
}
