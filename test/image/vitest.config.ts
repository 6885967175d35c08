import { defineConfig, mergeConfig } from "vitest/config"
import base from "../cluster/vitest.config.ts"

// As tests in a cluster, but one after the other: each Pod listens on the ports that users' do.
const { test: { include: _, ...common } = {} } = base
export default mergeConfig(
  { test: common },
  defineConfig({ test: { include: ["test/image/**/*.test.ts"], fileParallelism: false } }),
)
