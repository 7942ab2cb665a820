import xxhash from 'xxhash-wasm'

/** The two fast hashes of a ledger's ranges. They identify content; the chain of hashes protects it. */
export type Hasher = {
  /** xxh64, seed 0, as 16 hex digits. */
  xxh64(bytes: Uint8Array): string
  /** xxh32, seed 0, as an unsigned 32-bit number. */
  xxh32(bytes: Uint8Array): number
}

/** Loads the WebAssembly implementation. */
export async function loadHasher(): Promise<Hasher> {
  const { h32Raw, h64Raw } = await xxhash()
  return {
    xxh64: bytes => h64Raw(bytes).toString(16).padStart(16, '0'),
    xxh32: bytes => h32Raw(bytes) >>> 0,
  }
}
