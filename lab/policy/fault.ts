/** What a policy did that costs its backend round robin for a moment. */
export class Fault extends Error {}

/** It does not take this configuration: round robin serves the backend. */
export class Refusal extends Fault {}

/** A trap is a fault that says where. */
export function guarded<T>(name: string, call: () => T): T {
  try {
    return call()
  } catch (error) {
    throw faultOf(name, error)
  }
}

export function faultOf(name: string, error: unknown): Fault {
  return error instanceof Fault ? error : new Fault(`${name} trapped: ${reasonOf(error)}`)
}

/** What V8 says, with the functions of the policy in which it happened. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const names = (error.stack ?? "").matchAll(/at (\S+) \(wasm:/g)
  const where = [...names].map(([, name = ""]) => name).slice(0, 3)
  return where.length > 0 ? `${error.message} in ${where.join(", called by ")}` : error.message
}
