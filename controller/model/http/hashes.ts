/** Sizes of nginx's hash tables. */
export interface Hashes {
  readonly mapHashBucketSize: number
  readonly proxyHeadersHashMaxSize: number
  readonly proxyHeadersHashBucketSize: number
  readonly variablesHashMaxSize: number
  readonly variablesHashBucketSize: number
}
