/** Files with a process of their own: what takes another module's place takes it for its whole process, and what counts timers counts everybody's. */
export const alone: readonly string[] = [
  "test/unit/core/ingress/read/snippets-compiled-once.test.ts",
  "test/unit/core/translate/collision.test.ts",
  "test/unit/input/cluster/connect/client.test.ts",
  "test/unit/input/cluster/watch/histories.test.ts",
  "test/unit/input/cluster/watch/reflect.test.ts",
]
