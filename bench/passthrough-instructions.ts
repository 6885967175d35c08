// Instructions per TLS connection that is not passed through, without `ingress_passthrough` and with it, counted by valgrind. Writes
// bench/results/passthrough-instructions.md. Needs valgrind; takes some minutes.
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { paddedHello } from "../harness/hello.ts"
import { Client, type Passing, startPassing } from "../harness/ingress/passthrough.ts"
import { write } from "../harness/report.ts"
import { callgrind, needValgrind, perOne, quit, totalIn } from "./support/callgrind.ts"

interface Way {
  readonly name: string
  readonly isOff?: boolean
  /** in the zone, none of them asked for */
  readonly passthroughs: number
}

const ways: readonly Way[] = [
  { name: "without the directive", isOff: true, passthroughs: 0 },
  { name: "no passthrough", passthroughs: 0 },
  { name: "1 passthrough", passthroughs: 1 },
  { name: "1,000 passthroughs", passthroughs: 1000 },
]

// As large as that of a browser without a key of post-quantum cryptography. It offers nothing that nginx could go on with: what keys and
// signatures take differs from one handshake to the next by more than all that is to be counted.
const hello = paddedHello("other.test", 400)

needValgrind()
const short = 200
const long = 700
const counts: number[] = []
for (const way of ways)
  counts.push(await perOne(short, long, (connections) => instructions(way, connections)))

/** Instructions that nginx's event loop takes in a run of so many connections. */
async function instructions(way: Way, connections: number): Promise<number> {
  const dir = mkdtempSync(join(tmpdir(), "wick-callgrind-"))
  const out = join(dir, "out")
  {
    await using passing = await startPassing({
      isOff: way.isOff ?? false,
      main: "master_process off;",
      under: callgrind(out),
    })
    for (let at = 0; at < way.passthroughs; at += 1) await passing.pass(`host-${at}.test`, "127.0.0.1:1")
    for (let at = 0; at < connections; at += 1) await connectOnce(passing)
    await quit(passing.nginx.pid, () => passing.nginx.control("GET", "/status"))
  }
  const total = totalIn(out)
  rmSync(dir, { recursive: true })
  return total
}

async function connectOnce({ port }: Passing): Promise<void> {
  using client = new Client(port)
  await client.send(hello)
  await client.closed
  if (client.answer[0] !== 21) throw new Error(`nginx sent no alert but ${client.answer.toString("hex")}`)
}

write({
  name: "passthrough-instructions",
  title: "Instructions of a worker per TLS connection that is not passed through",
  method: `valgrind's callgrind over one nginx process, counting in its event loop; the difference of two runs over the difference of their connections
(${long - short}). A connection is a ClientHello of ${hello.length} bytes for a name that is no passthrough's and nginx's alert: nothing in it costs more or less from time to time, as
keys and signatures do. The kernel's share is not in it; where there are passthroughs that is one system call more (\`recv\` with \`MSG_PEEK\`).`,
  columns: ["way", "instructions per connection", "more"],
  rows: ways.map(({ name }, at) => {
    const [base = Number.NaN] = counts
    const count = counts[at] ?? Number.NaN
    return [name, Math.round(count), Math.round(count - base)]
  }),
  remarks: [
    "The directive alone was to cost fewer than 50. A full handshake of TLS 1.3 takes some million instructions.",
  ],
})
