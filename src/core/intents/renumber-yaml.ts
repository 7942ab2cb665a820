import { isMap, isScalar, isSeq, parseDocument } from 'yaml'
import { withScalars } from './edit-document.ts'
import { intentPlaces } from './edit-yaml.ts'
import { SUCCESSOR } from './intent.ts'
import { intentFilePath, registryParts, withParts } from './registry-text.ts'

/** An intent's id before and after. */
export type Renumbering = { readonly from: string; readonly to: string }

/** The registry with another id of an intent, also where others name it; a file of its own gets its name. */
export function withIntentId(text: string, { from, to }: Renumbering): string {
  const [list, ...files] = registryParts(text).map(part => ({ ...part, text: withIdIn(part.text, { from, to }) }))
  if (!list) return text
  const renamed = files.map(it => (it.path === intentFilePath(from) ? { ...it, path: intentFilePath(to) } : it))
  return withParts([list, ...renamed.sort((a, b) => (a.path < b.path ? -1 : 1))])
}

function withIdIn(text: string, { from, to }: Renumbering): string {
  const doc = parseDocument(text)
  const nodes = intentPlaces(doc).flatMap(place => {
    const waits = doc.getIn([...place, 'depends_on'])
    const specs = doc.getIn([...place, 'related_specs'])
    const successors = isSeq(specs) ? specs.items.filter(it => isMap(it) && it.get('type') === SUCCESSOR) : []
    const named = successors.map(it => (isMap(it) ? it.get('url', true) : null))
    return [doc.getIn([...place, 'id'], true), ...(isSeq(waits) ? waits.items : []), ...named]
  })
  const changes = nodes.filter(it => isScalar(it) && it.value === from).map(node => ({ node, value: to }))
  return withScalars(text, changes) ?? text
}
