/** The endpoints of a trace: which are listed, and what is wrong with them. Times are nanoseconds. */
import { chance } from "../../harness/random.ts"
import { type Job, Server } from "./server.ts"
import { type Added, type Fault, faults } from "./trace.ts"

/** An endpoint as it is posted. */
interface Posted {
  readonly address: string
  readonly port: string
  readonly weight: number
  readonly zone?: "ours" | "another"
}

export interface Member<J extends Job> {
  readonly server: Server<J>
  posted: Posted
  /** Since when it is listed; nothing when it is not. */
  sinceNs: number | undefined
  /** How long it was listed, without the time since `sinceNs`. */
  listedNs: number
  /** Share of the attempts that meet a fault. */
  readonly faults: Map<Fault, number>
}

export class Cluster<J extends Job> {
  /** Every endpoint that was ever listed, by its name. */
  readonly members = new Map<string, Member<J>>()

  list({ endpoint, weight, slots, queue, zone }: Added, nowNs: number): void {
    const colon = endpoint.lastIndexOf(":")
    const posted = {
      address: endpoint.slice(0, colon),
      port: endpoint.slice(colon + 1),
      weight,
      ...(zone && { zone }),
    }
    const before = this.members.get(endpoint)
    const server = before?.server ?? new Server<J>(endpoint)
    server.resize(slots, queue)
    const faults = before?.faults ?? new Map()
    this.members.set(endpoint, { server, posted, sinceNs: nowNs, listedNs: before?.listedNs ?? 0, faults })
  }

  unlist(endpoint: string, nowNs: number): void {
    const member = this.member(endpoint)
    member.listedNs += nowNs - (member.sinceNs ?? nowNs)
    member.sinceNs = undefined
  }

  member(endpoint: string): Member<J> {
    const member = this.members.get(endpoint)
    if (!member) throw new Error(`The trace has no endpoint ${endpoint}`)
    return member
  }

  /** What a backend's record has of it. */
  get posted(): readonly Posted[] {
    return [...this.members.values()]
      .filter(({ sinceNs }) => sinceNs !== undefined)
      .map(({ posted }) => posted)
  }
}

/** The fault that an attempt meets; the same one each time these numbers are asked about. */
export function faultOf(member: Member<Job>, ...numbers: readonly number[]): Fault | undefined {
  return faults.find((fault, i) => chance(...numbers, i) < (member.faults.get(fault) ?? 0))
}
