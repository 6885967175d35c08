import { startProfileServer } from "../report/profiles/profile-server.ts"
import { closeNow } from "../support/close-now.ts"
import { gateOf } from "./gate.ts"
import type { World } from "./world.ts"

/**
 * Serves profiles of the controller, if `--profiling` says so.
 *
 * @throws Failure when it cannot
 */
export async function profiles({ options, log }: World, stops: AsyncDisposableStack): Promise<object> {
  const { profiling, profilerAddress: address, profilerPort: port, profilerTokenFile } = options
  if (!profiling) return {}
  const gate = await gateOf(profilerTokenFile)
  // as questions of a script: nobody's browser is led here by a page, and there is no form to log in
  const server = await startProfileServer({
    ...{ address, port, log },
    refuse: (request) => gate.check(request, "/api/"),
  })
  stops.defer(() => closeNow(server))
  log.info({ address, port }, "Profiles are served")
  return {}
}
