// What the pause container is for: the network namespace of a Pod is there for as long as this process sleeps.
import { type ChildProcess, spawn } from "node:child_process"
import { readlinkSync } from "node:fs"
import { bound } from "../../harness/bound.ts"
import { until } from "../../harness/until.ts"
import { connectPod, disconnectPod } from "./network.ts"

export class Sandbox {
  readonly pid: number
  readonly #child: ChildProcess
  readonly #place: number

  private constructor(child: ChildProcess, pid: number, place: number) {
    this.#child = child
    this.pid = pid
    this.#place = place
  }

  /** @param place of the Pod among those of the node */
  static async start(place: number): Promise<Sandbox> {
    const child = spawn("setpriv", bound("KILL", "unshare", "--net", "sleep", "infinity"), {
      stdio: "ignore",
    })
    const pid = child.pid ?? 0
    await until("the network of a Pod", () => networkOf(pid) !== networkOf("self"))
    connectPod(pid, place)
    return new Sandbox(child, pid, place)
  }

  end(): void {
    this.#child.kill("SIGKILL")
    disconnectPod(this.#place)
  }
}

function networkOf(pid: number | "self"): string {
  return readlinkSync(`/proc/${pid}/ns/net`)
}
