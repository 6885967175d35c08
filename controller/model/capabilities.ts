/** What not every nginx can do: whether this one was built with it, or has the module. Booleans read as facts about nginx. */
export interface Capabilities {
  /** its modules for brotli are installed */
  readonly hasBrotli: boolean
  /** its module for Zstandard is installed */
  readonly hasZstd: boolean
  /** it was built with HTTP/3 */
  readonly hasHttp3: boolean
}

export const noCapabilities: Capabilities = { hasBrotli: false, hasZstd: false, hasHttp3: false }

export const allCapabilities: Capabilities = { hasBrotli: true, hasZstd: true, hasHttp3: true }
