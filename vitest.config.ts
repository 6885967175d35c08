import { defineConfig } from "vitest/config"

const minuteMs = 60_000

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    // They need a network of their own: `npm run test:cluster`.
    exclude: ["test/cluster/**"],
    pool: "forks",
    // Many tests run an nginx with several workers beside themselves: two files at a time fill two cores.
    maxWorkers: 2,
    // In CI, until `npm test` has passed twenty times in a row beside other load: a second attempt that passes is no failure, but the last lines of
    // `npm test` name it, and each such line is a fault to be found.
    retry: process.env.CI === undefined ? 0 : 1,
    // These bounds end what hangs; what takes long on a busy machine is no failure.
    testTimeout: 5 * minuteMs,
    hookTimeout: 5 * minuteMs,
    teardownTimeout: minuteMs,
  },
})
