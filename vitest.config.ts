import { defineConfig } from "vitest/config"

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    // They need a network of their own: `npm run test:cluster`.
    exclude: ["test/cluster/**"],
    pool: "forks",
    // Many tests run an nginx with several workers beside themselves: two files at a time fill two cores.
    maxWorkers: 2,
    // On a machine that others use too, a test that waits for real processes may miss its moment once in a thousand runs. A second attempt that
    // passes is no failure, but the last lines of `npm test` name it.
    retry: process.env.CI === undefined ? 0 : 1,
    // Bounds for a machine that is busy with other things as well; nothing here waits for its own sake.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    teardownTimeout: 10_000,
  },
})
