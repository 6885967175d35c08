import type { Hashes } from "../../../model/http/processes.ts"
import { type EntriesFor, family, key } from "../key.ts"
import { integer } from "../parser.ts"
import { values } from "../usage.ts"

const entries = { parse: integer(1, 1_048_576), values: values.count }

/** A whole number of cache lines is what nginx makes of it. */
const bucket = { parse: integer(32, 65_536), values: "bytes" }

const unneeded = "hosts are not in nginx's configuration"

export const hashes = family("Process", {
  mapHashBucketSize: key("map-hash-bucket-size", bucket, "64", {
    example: "128",
    description: "bucket size of the hash tables of nginx's maps",
  }),
  proxyHeadersHashMaxSize: key("proxy-headers-hash-max-size", entries, "512", {
    example: "1024",
    description: "size of nginx's hash table of request headers",
  }),
  proxyHeadersHashBucketSize: key("proxy-headers-hash-bucket-size", bucket, "64", {
    example: "128",
    description: "bucket size of nginx's hash table of request headers",
  }),
  variablesHashMaxSize: key("variables-hash-max-size", entries, "2048", {
    example: "4096",
    description: "size of nginx's hash table of variables",
  }),
  variablesHashBucketSize: key("variables-hash-bucket-size", bucket, "256", {
    example: "512",
    description: "bucket size of nginx's hash table of variables",
  }),
  serverNameHashMaxSize: {
    name: "server-name-hash-max-size",
    unneeded,
    values: values.count,
    shownDefault: "1024",
    example: "2048",
  },
  serverNameHashBucketSize: {
    name: "server-name-hash-bucket-size",
    unneeded,
    values: "bytes",
    shownDefault: "computed",
    example: "128",
  },
} satisfies EntriesFor<Hashes>)
