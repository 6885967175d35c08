// Compiles what only tests need, before they begin: a file that is run by itself compiles what it lacks, but with all others beside it that takes
// long and comes first in whoever asks first. Does nothing where all is fresh.

import { faultyBalancer } from "../harness/faulty.ts"
import { zoneWriter } from "../harness/ingress/zone-writer.ts"
import { filter, filterNames } from "./nginx/wasm/support/filters.ts"

await zoneWriter()
await faultyBalancer()
for (const name of filterNames) await filter(name)
