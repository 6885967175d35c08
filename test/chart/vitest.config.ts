import { defineConfig, mergeConfig } from "vitest/config"
import base from "../../vitest.config.ts"

// As all tests, but with Helm.
const { test: { projects: _, ...common } = {} } = base
export default mergeConfig({ test: common }, defineConfig({ test: { include: ["test/chart/**/*.test.ts"] } }))
