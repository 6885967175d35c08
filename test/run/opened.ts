// opened.ts FILE…: runs files of tests under strace and prints what they open of the checkout that is none of their inputs (reach.ts): a change there
// would not bring them back. As root; needs strace and what `npm run setup` builds. Ends with 1 when there is any. Without FILE it takes all tests with
// an nginx; unit tests run each time, whatever has changed.
import { execFileSync, spawnSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { nodeBinary, root, shared } from "../../harness/paths.ts"
import { made } from "./made.ts"
import { withNginx } from "./parts.ts"
import { type Item, itemsOf } from "./plan.ts"
import { Reach } from "./reach.ts"
import { treeOf } from "./tree.ts"

const tree = treeOf(root, shared)
const items = itemsOf(withNginx, { tree, reach: new Reach(tree), surroundings: [] })
const named = process.argv.slice(2)
const wanted = named.length === 0 ? items : items.filter(({ file = "" }) => named.includes(file))

/** Of these the built files are inputs, not the sources. */
const built = withNginx.made.flatMap((name) => made[name].sources).flatMap((path) => tree.files(path))

/** What vitest.config.ts reads for the order of files, which changes no result. */
const order = ["test/support/longest-first.ts", "test/support/longest.txt", "harness/paths.ts"]

execFileSync(join(root, "build/packages.sh"), ["strace"], { stdio: "inherit" })
const dir = mkdtempSync(join(tmpdir(), "wick-opened-"))
let missing = 0
for (const item of wanted) {
  const all = opened(item)
  const known = new Set([...item.inputs, ...built, ...order, ...hashed(item)])
  const more = all.filter((path) => !known.has(path))
  missing += more.length
  process.stdout.write(`${item.file}: ${all.length} opened, ${more.length} not known: ${more.join(" ")}\n`)
}
rmSync(dir, { recursive: true })
process.exitCode = missing > 0 ? 1 : 0

/** What build/test-modules.sh takes a hash of: more than it compiles. */
function hashed({ inputs }: Item): readonly string[] {
  return inputs.includes("build/test-modules.sh") ? tree.files("nginx") : []
}

/** Files of the checkout that were opened or started, whether the tests passed or not. */
function opened({ file = "" }: Item): string[] {
  const log = join(dir, "log")
  const vitest = [nodeBinary, join(root, "node_modules/vitest/vitest.mjs"), "run", file]
  spawnSync("strace", ["-f", "-qq", "-e", "trace=open,openat,execve", "-o", log, ...vitest], { cwd: root })
  const paths = readFileSync(log, "utf8").matchAll(/(?:open|openat|execve)\((?:AT_FDCWD, )?"([^"]+)"/g)
  const inside = [...paths].map(([, path = ""]) => resolve(root, path).slice(root.length + 1))
  return [...new Set(inside)].filter((path) => tree.kind(path) === "file").sort()
}
