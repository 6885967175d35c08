// CPU and instructions of a worker per GiB of TCP and per datagram of UDP, by stock nginx's stream module, by a record, and by HAProxy. Writes
// bench/results/stream-bytes.md. Needs valgrind, HAProxy, taskset and two cores that nobody else uses; takes some minutes.
import { mkdtempSync, rmSync } from "node:fs"
import { loadavg, tmpdir } from "node:os"
import { join } from "node:path"
import { type Conf, type Nginx, type Site, startNginx } from "../harness/nginx.ts"
import { write } from "../harness/report.ts"
import { streamModule } from "../harness/stream-module.ts"
import { startStreams, UdpTarget } from "../harness/streams.ts"
import { comeAndGo, needValgrind, quit, totalIn, wholeCallgrind } from "./support/callgrind.ts"
import { cpuNanoseconds } from "./support/cpu.ts"
import { exchange } from "./support/datagrams.ts"
import { startTcpHaproxy } from "./support/haproxy-tcp.ts"
import { inRounds, pairedRatio, spread } from "./support/rounds.ts"
import { download, TcpSource } from "./support/tcp-source.ts"
import { pin } from "./support/wrk.ts"

/** A proxy that runs. */
interface Running {
  readonly tcp: number
  /** absent: it has none */
  readonly udp?: number
  /** the process that serves */
  readonly pid: number
  stop(): Promise<void>
}

interface Way {
  readonly name: string
  readonly hasUdp: boolean
  start(under: readonly string[]): Promise<Running>
}

/** What is done many times. */
interface Work {
  readonly name: string
  readonly unit: string
  readonly isUdp: boolean
  /** in one of which a round has so many */
  readonly perRound: number
  /** in the two runs that are counted: the difference is what counts */
  readonly counted: readonly [less: number, more: number]
  /** how many of the unit in the table are one of these */
  readonly shown: number
  run(at: Running, count: number): Promise<void>
}

const [load = 0] = loadavg()
const rounds = 5
const MiB = 1 << 20
const format = "'[$remote_addr] [$time_local] $protocol $status $bytes_sent $bytes_received $session_time'"
const logs = "error_log /dev/null notice; access_log /dev/null log_stream;"
/** nginx's own way to write the line, and the controller's. */
const nginxsLine = `log_format log_stream ${format}; ${logs}`
const ourLine = `ingress_stream_log_line $line ${format}; log_format log_stream escape=none $line; ${logs}`

needValgrind()
using source = await TcpSource.start()
await using answering = await UdpTarget.start((text) => [text])

const ways: readonly Way[] = [
  { name: "nginx's own stream module", hasUdp: true, start: startStock },
  { name: "a record", hasUdp: true, start: startRecord },
  { name: "HAProxy", hasUdp: false, start: (under) => startTcpHaproxy(source.address, under) },
]

const works: readonly Work[] = [
  {
    ...{ name: "TCP, from the endpoint to the client", unit: "GiB", isUdp: false },
    ...{ perRound: 512, counted: [8, 40], shown: 1024 },
    run: ({ tcp }, count) => download(tcp, count * MiB),
  },
  {
    ...{ name: "UDP, a datagram and its answer", unit: "datagram", isUdp: true },
    ...{ perRound: 4000, counted: [200, 700], shown: 1 },
    run: ({ udp = 0 }, count) => exchange(udp, count),
  },
  {
    ...{ name: "UDP, the same, each from another client", unit: "session", isUdp: true },
    ...{ perRound: 200, counted: [200, 700], shown: 1 },
    run: async ({ udp = 0 }, count) => {
      for (let at = 0; at < count; at += 1) await exchange(udp, 1)
    },
  },
]

async function startStock(under: readonly string[]): Promise<Running> {
  const nginx = await startNginx((site) => stockConf(site, under), valgrind(under))
  return nginxRunning(nginx, under)
}

function stockConf({ port }: Site, under: readonly string[]): Conf {
  return {
    main: `
load_module ${streamModule};
${inMain(under)}
stream {
  ${nginxsLine}
  upstream tcp { server ${source.address}; }
  upstream udp { server ${answering.address}; }
  server { listen 127.0.0.1:${port}; proxy_pass tcp; }
  server { listen 127.0.0.1:${port} udp reuseport; proxy_pass udp; ${ofUdp} }
}`,
    http: "",
  }
}

/** So that clients which have gone leave room for those of the next rounds. */
const ofUdp = "proxy_timeout 500ms;"

async function startRecord(under: readonly string[]): Promise<Running> {
  const streams = await startStreams({
    workers: 1,
    inMain: inMain(under),
    inStream: ourLine,
    ...valgrind(under),
  })
  await streams.serve("tcp", [source.address])
  await streams.serve("udp", [answering.address], { stream: { proxy_timeout_ms: 500 } })
  return { ...nginxRunning(streams.nginx, under), tcp: streams.tcp, udp: streams.tcp }
}

function valgrind(under: readonly string[]): { readonly under?: readonly string[] } {
  return under.length > 0 ? { under } : {}
}

function inMain(under: readonly string[]): string {
  return under.length > 0 ? "master_process off;" : ""
}

function nginxRunning(nginx: Nginx, under: readonly string[]): Running {
  const pid = under.length > 0 ? nginx.pid : (nginx.workers()[0] ?? 0)
  return {
    ...{ tcp: nginx.port, udp: nginx.port, pid },
    async stop() {
      if (under.length > 0) await quit(pid, () => comeAndGo(nginx.port))
      await nginx.stop()
    },
  }
}

const measured = new Map<string, number[]>()
const key = (work: Work, way: Way) => `${work.name} ${way.name}`
const waysOf = (work: Work) => ways.filter(({ hasUdp }) => hasUdp || !work.isUdp)

/** Nanoseconds of CPU per unit, in rounds. */
async function measure(work: Work): Promise<void> {
  const running = new Map<Way, Running>()
  for (const way of waysOf(work)) running.set(way, await started(way))
  await inRounds(waysOf(work), rounds, async (way) => {
    const at = running.get(way) as Running
    const before = cpuNanoseconds(at.pid)
    await work.run(at, work.perRound)
    const each = ((cpuNanoseconds(at.pid) - before) / work.perRound) * work.shown
    measured.set(key(work, way), [...(measured.get(key(work, way)) ?? []), each])
  })
  for (const at of running.values()) await at.stop()
}

async function started(way: Way): Promise<Running> {
  const at = await way.start([])
  pin(at.pid, 0)
  return at
}

/** Instructions per unit. */
async function instructions(work: Work, way: Way): Promise<number> {
  const [less, more] = work.counted
  const counts: number[] = []
  for (const count of [less, more]) {
    const dir = mkdtempSync(join(tmpdir(), "wick-callgrind-"))
    const at = await way.start(wholeCallgrind(join(dir, "out")))
    await work.run(at, count)
    await at.stop()
    counts.push(totalIn(join(dir, "out")))
    rmSync(dir, { recursive: true })
  }
  const [first = 0, second = 0] = counts
  return ((second - first) / (more - less)) * work.shown
}

pin(source.pid, 1)
pin(process.pid, 1)
const counted = new Map<string, number>()
for (const work of works) {
  await measure(work)
  for (const way of waysOf(work)) counted.set(key(work, way), await instructions(work, way))
}

write({
  name: "stream-bytes",
  title: "CPU of a worker per GiB and per datagram",
  method: `One worker on core 0; client and endpoint on core 1. ${rounds} alternating rounds, CPU from /proc/<pid>/schedstat, medians, the ratio from round to round. Instructions are valgrind's callgrind's, without the kernel's share, as the difference of two runs. All have 16 KiB for what passes, and a line in the log for each session; HAProxy has one thread, and knows no UDP.`,
  columns: [
    "what",
    "way",
    "µs of CPU",
    "quartiles",
    "of nginx's own",
    "instructions",
    "of nginx's own (instructions)",
  ],
  rows: works.flatMap((work) => waysOf(work).map((way) => rowOf(work, way))),
  remarks:
    load < 1
      ? []
      : [
          `The machine was busy with other work (load ${load.toFixed(0)}): times are no finer than that allows.`,
        ],
})

function rowOf(work: Work, way: Way): (string | number)[] {
  const [stock] = ways as [Way, ...Way[]]
  const times = measured.get(key(work, way)) ?? []
  const count = counted.get(key(work, way)) ?? Number.NaN
  const base = counted.get(key(work, stock)) ?? Number.NaN
  return [
    `${work.name}, per ${work.unit}`,
    way.name,
    ...spread(times.map((ns) => ns / 1000)),
    pairedRatio(times, measured.get(key(work, stock)) ?? []).toFixed(2),
    Math.round(count),
    (count / base).toFixed(2),
  ]
}
