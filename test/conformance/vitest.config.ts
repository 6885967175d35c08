import { defineConfig, mergeConfig } from "vitest/config"
import base from "../cluster/vitest.config.ts"

// As tests in a cluster.
const { test: { include: _, ...common } = {} } = base
export default mergeConfig(
  { test: common },
  defineConfig({ test: { include: ["test/conformance/**/*.test.ts"] } }),
)
