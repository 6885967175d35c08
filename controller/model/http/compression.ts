/** Compression of responses. */
export interface Compression {
  readonly usesGzip: boolean
  /** 1 to 9 */
  readonly gzipLevel: number
  readonly gzipMinBytes: number
  /** media types beside text/html */
  readonly gzipTypes: readonly string[]
  /** regular expression over the User-Agent of clients that get none, or `msie6`; "" is nobody */
  readonly gzipDisable: string
  readonly usesBrotli: boolean
  /** 0 to 11 */
  readonly brotliLevel: number
  readonly brotliMinBytes: number
  readonly brotliTypes: readonly string[]
}
