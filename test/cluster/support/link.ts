// The network between wick and the API server, and what can happen to it: a TCP proxy that loses connections or packets when told to.
import { execFileSync } from "node:child_process"
import { connect, createServer, type Server, type Socket } from "node:net"
import { podAddress } from "../../../harness/cluster/pods.ts"
import { freePorts } from "../../../harness/ports.ts"

export class Link implements AsyncDisposable {
  readonly address = podAddress()
  readonly port: number
  /** How many connections were made through it. */
  connections = 0
  readonly #target: number
  readonly #pairs = new Set<Pair>()
  #server: Server | undefined
  #isLost = false

  constructor(port: number, target: number) {
    this.port = port
    this.#target = target
  }

  get url(): string {
    return `https://${this.address}:${this.port}`
  }

  /** Lets connections through (again). */
  async plug(): Promise<this> {
    const server = createServer({ allowHalfOpen: true }, (client) => this.#join(client))
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject)
      server.listen(this.port, this.address, resolve)
    })
    this.#server = server
    return this
  }

  /** Resets all connections and refuses new ones. */
  async unplug(): Promise<void> {
    const server = this.#server
    this.#server = undefined
    this.reset()
    if (server !== undefined) await new Promise((resolve) => server.close(resolve))
  }

  /** Resets all connections; new ones are let through. */
  reset(): void {
    for (const pair of this.#pairs) pair.reset()
  }

  /** Resets each present connection when the server has said so many more bytes on it, be it in the middle of a word. */
  resetAfter(bytes: number): void {
    for (const pair of this.#pairs) pair.resetAfter(bytes)
  }

  /** From now on every packet from and to it is lost, as behind a firewall that has forgotten: nothing is closed and nobody is told. */
  vanish(): void {
    if (!this.#isLost) route("add", this.address)
    this.#isLost = true
  }

  /** Packets arrive again. */
  reappear(): void {
    if (this.#isLost) route("del", this.address)
    this.#isLost = false
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.reappear()
    return this.unplug()
  }

  #join(client: Socket): void {
    this.connections += 1
    const pair = new Pair(client, connect({ host: "127.0.0.1", port: this.#target, allowHalfOpen: true }))
    this.#pairs.add(pair)
    client.once("close", () => this.#pairs.delete(pair))
  }
}

/** A connection and its continuation. */
class Pair {
  readonly #client: Socket
  readonly #server: Socket
  #bytesLeft = Number.POSITIVE_INFINITY

  constructor(client: Socket, server: Socket) {
    this.#client = client
    this.#server = server
    for (const socket of [client, server]) socket.on("error", () => this.reset())
    client.on("data", (data: Buffer) => server.write(data)).on("end", () => server.end())
    server.on("data", (data: Buffer) => this.#forward(data)).on("end", () => client.end())
  }

  reset(): void {
    this.#client.resetAndDestroy()
    this.#server.resetAndDestroy()
  }

  resetAfter(bytes: number): void {
    this.#bytesLeft = bytes
  }

  #forward(data: Buffer): void {
    const through = data.subarray(0, this.#bytesLeft)
    this.#bytesLeft -= through.length
    // Reset only when it has left: what is still unsent would be lost with the connection.
    this.#client.write(through, () => {
      if (this.#bytesLeft === 0) this.reset()
    })
  }
}

/** A more specific route than that of the network (build/network.sh), which leads nowhere. */
function route(change: "add" | "del", address: string): void {
  execFileSync("ip", ["route", change, "blackhole", address, "table", "local"])
}

/** @param target port of the API server */
export async function startLink(target: number): Promise<Link> {
  const [port = 0] = await freePorts(1)
  return new Link(port, target).plug()
}
