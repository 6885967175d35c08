// How long the tests of a file have waited for the servers they started (test/support/measured.ts).

const starts: Record<string, number[]> = {}

/** Runs `start`, which returns when the program is ready, or has failed to get there. */
export async function measuredStart<T>(program: string, start: () => Promise<T>): Promise<T> {
  const begun = performance.now()
  try {
    return await start()
  } finally {
    starts[program] = [...(starts[program] ?? []), performance.now() - begun]
  }
}

/** All since the last call: milliseconds by program. */
export function takeStarts(): Readonly<Record<string, readonly number[]>> {
  const taken = { ...starts }
  for (const program of Object.keys(starts)) delete starts[program]
  return taken
}
