// What the kubelet asks a container to learn whether it lives and whether it may have traffic.
import { connect } from "node:net"
import { setTimeout as pause } from "node:timers/promises"
import { ask } from "../../harness/http.ts"

/** As in the Pod. Numbers have the API server's defaults. */
export interface Probe {
  readonly httpGet?: { readonly path: string; readonly port: number | string }
  readonly tcpSocket?: { readonly port: number | string }
  readonly initialDelaySeconds?: number
  readonly periodSeconds: number
  readonly timeoutSeconds: number
  readonly successThreshold: number
  readonly failureThreshold: number
}

export interface Probed {
  readonly address: string
  /** The number of a port that a probe names. */
  readonly portOf: (port: number | string) => number
  /** How long a second of the probe takes, in milliseconds; answers have ten times as long. */
  readonly secondMs: number
  readonly signal: AbortSignal
}

/** Asks until the signal aborts. @param found is told when enough answers in a row were the same, and others than before */
export async function probe(
  wanted: Probe,
  { address, portOf, secondMs, signal }: Probed,
  found: (isHealthy: boolean) => void,
): Promise<void> {
  const wait = (seconds: number) => pause(seconds * secondMs, undefined, { signal }).catch(() => {})
  let last: boolean | undefined
  let row = 0
  await wait(wanted.initialDelaySeconds ?? 0)
  while (!signal.aborted) {
    const answer = await isHealthy(wanted, address, portOf, 10 * secondMs * wanted.timeoutSeconds)
    if (signal.aborted) return
    row = answer === last ? row + 1 : 1
    last = answer
    if (row === (answer ? wanted.successThreshold : wanted.failureThreshold)) found(answer)
    await wait(wanted.periodSeconds)
  }
}

async function isHealthy(
  { httpGet, tcpSocket }: Probe,
  host: string,
  portOf: Probed["portOf"],
  timeoutMs: number,
): Promise<boolean> {
  if (httpGet !== undefined) {
    const target = { host, port: portOf(httpGet.port) }
    const answer = await ask(target, { path: httpGet.path, timeoutMs }).catch(() => undefined)
    return answer !== undefined && answer.status >= 200 && answer.status < 400
  }
  if (tcpSocket !== undefined) return accepts(host, portOf(tcpSocket.port), timeoutMs)
  throw new Error("Only probes by HTTP and TCP are known here")
}

function accepts(host: string, port: number, timeout: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout })
    const answer = (is: boolean) => {
      socket.destroy()
      resolve(is)
    }
    socket.once("connect", () => answer(true))
    socket.once("timeout", () => answer(false))
    socket.once("error", () => answer(false))
  })
}
