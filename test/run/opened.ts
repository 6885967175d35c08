// opened.ts FILE…: runs files of tests under strace and prints what they open of the checkout that is none of their inputs (reach.ts): a change there
// would not bring them back. As root; needs strace. Ends with 1 when there is any. Without FILE it takes all tests with an nginx.
import { execFileSync, spawnSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { nodeBinary, root, shared } from "../support/paths.ts"
import { unit, withNginx } from "./parts.ts"
import { type Item, itemsOf } from "./plan.ts"
import { Reach } from "./reach.ts"
import { treeOf } from "./tree.ts"

const tree = treeOf(root, shared)
const items = [withNginx, unit].flatMap((part) =>
  itemsOf(part, { tree, reach: new Reach(tree), surroundings: [] }),
)
const named = process.argv.slice(2)
const nginxItems = items.filter(({ file = "" }) => withNginx.isTest(file))
const wanted = named.length === 0 ? nginxItems : items.filter(({ file = "" }) => named.includes(file))

execFileSync(join(root, "build/packages.sh"), ["strace"], { stdio: "inherit" })
const dir = mkdtempSync(join(tmpdir(), "wick-opened-"))
let missing = 0
for (const item of wanted) {
  const all = opened(item)
  const more = all.filter((path) => !item.inputs.includes(path))
  missing += more.length
  process.stdout.write(`${item.file}: ${all.length} opened, ${more.length} not known: ${more.join(" ")}\n`)
}
rmSync(dir, { recursive: true })
process.exitCode = missing > 0 ? 1 : 0

/** Files of the checkout that were opened or started, whether the tests passed or not. */
function opened({ file = "" }: Item): string[] {
  const log = join(dir, "log")
  const vitest = [nodeBinary, join(root, "node_modules/vitest/vitest.mjs"), "run", file]
  spawnSync("strace", ["-f", "-qq", "-e", "trace=open,openat,execve", "-o", log, ...vitest], { cwd: root })
  const paths = readFileSync(log, "utf8").matchAll(/(?:open|openat|execve)\((?:AT_FDCWD, )?"([^"]+)"/g)
  const inside = [...paths].map(([, path = ""]) => resolve(root, path).slice(root.length + 1))
  return [...new Set(inside)].filter((path) => tree.kind(path) === "file").sort()
}
