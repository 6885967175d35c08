import type { Certificate, Staple } from "../../../model/certificate.ts"
import type { ZoneName } from "../../../model/http/processes.ts"
import type { Live } from "../../../model/model.ts"
import { RunningSum } from "../../../support/incremental/running-sum.ts"
import {
  addressListBytes,
  authorityBytes,
  backendBytes,
  certificateBytes,
  passthroughBytes,
  streamBytes,
  tlsHostBytes,
  userListBytes,
  wholeHostBytes,
} from "./record-bytes.ts"
import { stapleBytes } from "./tls-shares.ts"

/** What all namespaces and the operator want of each zone together; no namespace wants more than that. Of long lists few items change from pass to pass. */
export class Totals {
  readonly #hosts = new RunningSum(wholeHostBytes)
  readonly #addressLists = new RunningSum(addressListBytes)
  readonly #userLists = new RunningSum(userListBytes)
  readonly #backends = new RunningSum(backendBytes)
  readonly #tlsHosts = new RunningSum(tlsHostBytes)
  readonly #authorities = new RunningSum(authorityBytes)
  readonly #certificates = new RunningSum((it: Certificate) => certificateBytes(it) + stapleBytes)
  readonly #staples = new RunningSum(({ response }: Staple) => response.length)
  readonly #passthroughs = new RunningSum(passthroughBytes)
  readonly #streams = new RunningSum(streamBytes)

  of(live: Live): Readonly<Record<ZoneName, number>> {
    return {
      routes:
        this.#hosts.of(live.hosts) +
        this.#addressLists.of(live.addressLists) +
        this.#userLists.of(live.userLists) +
        this.#streams.of(live.streams),
      backends: this.#backends.of(live.backends),
      certificates:
        this.#tlsHosts.of(live.tlsHosts) +
        this.#authorities.of(live.authorities) +
        this.#certificates.of(live.certificates) +
        this.#staples.of(live.staples),
      passthroughs: this.#passthroughs.of(live.passthroughs),
    }
  }
}
