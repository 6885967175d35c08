import type { BackendState, EndpointState } from "../../model/endpoint-state.ts"
import { hostPort } from "../../support/address.ts"
import { Failure } from "../../support/failure.ts"
import type { Answer, ControlClient } from "./client.ts"
import type { PostedEndpoint } from "./posted.ts"

// What the balancer knows of endpoints: docs/wire.md 1. Reading them costs no request anything.

type Client = Pick<ControlClient, "getAnew">

interface ShownBackend {
  readonly name: string
  readonly "load-balance": string
  readonly endpoints: readonly ShownEndpoint[]
}

interface ShownEndpoint extends PostedEndpoint {
  readonly running?: number
  readonly score_ns?: number
  readonly failures?: number
  readonly ejected_ms?: number
  readonly warming_ms?: number
}

const path = "/configuration/endpoints"

/** Backends in one answer. */
const atOnce = 256

/** @returns undefined if there is none of this name, or nginx's filter is too old to say @throws Failure `control-lost` */
export async function readBackendState(client: Client, name: string): Promise<BackendState | undefined> {
  return backendsIn(await client.getAnew(`${path}?name=${encodeURIComponent(name)}`))[0]
}

/** All backends of whose endpoints something is learned, in parts and in no order. @throws Failure `control-lost` */
export async function* backendStates(client: Client): AsyncGenerator<readonly BackendState[]> {
  for (let cursor: string | undefined = ""; cursor !== undefined; ) {
    const answer: Answer = await client.getAnew(`${path}?limit=${atOnce}${cursor}`)
    yield backendsIn(answer)
    cursor = answer.next === undefined ? undefined : `&cursor=${answer.next}`
  }
}

function backendsIn({ status, body }: Answer): BackendState[] {
  if (status === 404) return []
  if (status !== 200)
    throw new Failure("control-failed", `Cannot read what is known of endpoints: nginx answered ${status}`)
  const shown: readonly ShownBackend[] = JSON.parse(body)
  return shown.map(({ name, "load-balance": algorithm, endpoints }) => ({
    name,
    algorithm,
    endpoints: endpoints.map(stateOf),
  }))
}

function stateOf(shown: ShownEndpoint): EndpointState {
  const { running, score_ns: scoreNs, failures, ejected_ms: ejectedMs, warming_ms: warmingMs } = shown
  return {
    endpoint: hostPort(shown.address, shown.port),
    weight: shown.weight ?? 1,
    ...(running !== undefined && { running }),
    ...(scoreNs !== undefined && { scoreSeconds: scoreNs / 1e9 }),
    ...(failures !== undefined && { failures }),
    ...(ejectedMs !== undefined && { ejectedMs }),
    ...(warmingMs !== undefined && { warmingMs }),
  }
}
