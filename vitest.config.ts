import { join } from "node:path"
import { defineConfig } from "vitest/config"
import { alone } from "./test/support/alone.ts"
import { LongestFirst } from "./test/support/longest-first.ts"

const minuteMs = 60_000 * Number(process.env.WICK_TEST_SLOWDOWN ?? 1)

export default defineConfig({
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: "unit",
          include: ["test/{unit,balancer,lab}/**/*.test.ts", "test/golden.test.ts"],
          exclude: [...alone],
        },
      },
      // With an nginx. Those of test/cluster need a network of their own: `npm run test:cluster`.
      {
        extends: true,
        test: {
          name: "nginx",
          include: ["test/{nginx,cve,monitoring,one-reading,ui}/**/*.test.ts"],
          setupFiles: ["test/support/nothing-left.ts"],
        },
      },
      { extends: true, test: { name: "alone", include: [...alone], isolate: true } },
    ],
    // Files leave nothing behind that the next one could meet, so one process runs many of them: to start it and to read the controller anew takes
    // a second of processor time.
    isolate: false,
    pool: "forks",
    // Many tests run an nginx with several workers beside themselves, and many wait: three files at a time fill two cores.
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
    // Nothing has a second attempt, which would hide what is wrong. These bounds end what hangs; what takes long on a busy machine is no failure.
    testTimeout: 10 * minuteMs,
    hookTimeout: 10 * minuteMs,
    teardownTimeout: minuteMs,
    expect: { poll: { timeout: 2 * minuteMs } },
    setupFiles: [
      "test/support/seeded.ts",
      // test/measure.ts
      ...(process.env.WICK_TEST_MEASURE === undefined ? [] : ["test/support/measured.ts"]),
    ],
    // Each controller that a test starts would compile its TypeScript again, half of the processor time of its start.
    env: { NODE_COMPILE_CACHE: join(import.meta.dirname, "out/node-compile-cache") },
  },
})
