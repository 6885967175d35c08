import { execFileSync } from "node:child_process"
import { join } from "node:path"
import { expect, test } from "vitest"
import { nodeBinary, root } from "../../../harness/paths.ts"

// What a library takes stays taken: these were a sixth of what the controller of a small cluster has.

/** Libraries that are loaded with a module, and Node's own client of fetch as `undici`. */
function loadedWith(module: string): ReadonlySet<string> {
  const code = `
    import { registerHooks } from "node:module"
    const urls = []
    registerHooks({ load: (url, context, next) => (urls.push(url), next(url, context)) })
    await import(${JSON.stringify(join(root, module))})
    console.log(JSON.stringify([...urls, ...process.moduleLoadList]))`
  const told = execFileSync(nodeBinary, ["--input-type=module", "-e", code], { encoding: "utf8" })
  const names: readonly string[] = JSON.parse(told)
  const library = /\/node_modules\/((?:@[^/]+\/)?[^/]+)\/|deps\/(undici)\//
  return new Set(names.flatMap((name) => library.exec(name)?.slice(1).filter(Boolean) ?? []))
}

test("what few need is not loaded before they do", () => {
  const loaded = loadedWith("controller/run/run.ts").union(loadedWith("controller/input/cluster/cluster.ts"))
  expect(loaded).toContain("liquidjs")
  const later = ["undici", "pkijs", "yaml", "chokidar", "@kubernetes/client-node", "@grpc/grpc-js"]
  expect(later.filter((library) => loaded.has(library))).toEqual([])
})
