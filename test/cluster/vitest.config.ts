import { defineConfig, mergeConfig } from "vitest/config"
import base from "../../vitest.config.ts"

// As all tests, but in the network that run.sh makes.
const { test: { projects: _, ...common } = {} } = base
export default mergeConfig(
  { test: common },
  defineConfig({
    test: { include: ["test/cluster/**/*.test.ts"], globalSetup: ["test/cluster/support/network.ts"] },
  }),
)
