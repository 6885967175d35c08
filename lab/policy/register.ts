// For `node --import`: `wick-policy/testing` is testing.ts, wherever the test lies that imports it.
import { registerHooks } from "node:module"
import { join } from "node:path"
import { pathToFileURL } from "node:url"

const testing = pathToFileURL(join(import.meta.dirname, "testing.ts")).href

registerHooks({
  resolve: (name, context, next) =>
    name === "wick-policy/testing" ? { url: testing, shortCircuit: true } : next(name, context),
})
