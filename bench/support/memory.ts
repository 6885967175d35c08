import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"

/** Heap and what hangs on it outside, after a collection. */
export function memoryBytes(): number {
  setFlagsFromString("--expose-gc")
  const collect = runInNewContext("gc")
  for (let round = 0; round < 3; round += 1) collect()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}
