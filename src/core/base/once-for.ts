/**
 * A function that computes its value once for each object, and gives the same one again as long as the object lives.
 * The object must not change meanwhile.
 */
export function onceFor<Key extends object, Value>(compute: (key: Key) => Value): (key: Key) => Value {
  const known = new WeakMap<Key, { readonly value: Value }>()
  return key => {
    const found = known.get(key) ?? { value: compute(key) }
    known.set(key, found)
    return found.value
  }
}

/** As `onceFor`, for texts: the values of the texts that were asked for last are kept, at most `kept` of them. */
export function onceForText<Value>(kept: number, compute: (text: string) => Value): (text: string) => Value {
  const known = new Map<string, { readonly value: Value }>()
  return text => {
    const found = known.get(text) ?? { value: compute(text) }
    // The oldest entry of a map is its first one.
    known.delete(text)
    known.set(text, found)
    for (const oldest of known.size > kept ? [...known.keys()].slice(0, 1) : []) known.delete(oldest)
    return found.value
  }
}
