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
