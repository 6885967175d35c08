import type { Hashes } from "../../../model/http/hashes.ts"
import { type Keys, key } from "../key.ts"
import { integer } from "../values.ts"

const entries = integer(1, 1_048_576)

/** A whole number of cache lines is what nginx makes of it. */
const bucket = integer(32, 65_536)

export const hashes: Keys<Hashes> = {
  mapHashBucketSize: key("map-hash-bucket-size", bucket, "64"),
  proxyHeadersHashMaxSize: key("proxy-headers-hash-max-size", entries, "512"),
  proxyHeadersHashBucketSize: key("proxy-headers-hash-bucket-size", bucket, "64"),
  variablesHashMaxSize: key("variables-hash-max-size", entries, "2048"),
  variablesHashBucketSize: key("variables-hash-bucket-size", bucket, "256"),
}
