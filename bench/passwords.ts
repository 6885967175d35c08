// What requests of others notice while somebody tries passwords whose hash is bcrypt with cost 12. Writes bench/results/passwords.md; takes about
// a minute.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { ask } from "../harness/http.ts"
import { startIngress } from "../harness/ingress/ingress.ts"
import { userListOf } from "../harness/ingress/records.ts"
import { basic, slowHash } from "../harness/passwords.ts"
import { write } from "../harness/report.ts"
import { quantile } from "../harness/statistics.ts"
import { type Arrival, openLoad } from "./support/open-load.ts"

const perSecond = 200
const seconds = 15
const users = `ada:${slowHash}`

interface Attack {
  readonly name: string
  readonly host: string
  /** 0: none. */
  readonly perSecond: number
}

const attacks: readonly Attack[] = [
  { name: "nobody tries", host: "ours.test", perSecond: 0 },
  { name: "100 wrong ones a second", host: "ours.test", perSecond: 100 },
  { name: "4 wrong ones a second, nginx's own `auth_basic`", host: "nginx.test", perSecond: 4 },
]

const dir = mkdtempSync(join(tmpdir(), "wick-passwords-"))
writeFileSync(join(dir, "users"), `${users}\n`)
const served = "try_files /x =204;"
const rows: (string | number)[][] = []
{
  await using ingress = await startIngress({
    workers: 2,
    locations: `location @served { ${served} } location @nginx { auth_basic r; auth_basic_user_file ${dir}/users; ${served} }`,
  })
  await ingress.write(":users/l", userListOf([users]))
  await ingress.route("ours.test", [{ location: "served", access: { basic: { users: "l", realm: "r" } } }])
  await ingress.route("nginx.test", [{ location: "nginx" }])
  await ingress.route("other.test", [{ location: "served" }])
  for (const attack of attacks) rows.push(await measured(ingress.port, attack))
}
rmSync(dir, { recursive: true })
report()

async function measured(port: number, attack: Attack): Promise<(string | number)[]> {
  const statuses = new Map<number, number>()
  const trying = attack.perSecond === 0 ? undefined : setInterval(tryOne, 1000 / attack.perSecond)
  const asked: Promise<void>[] = []
  let count = 0
  function tryOne(): void {
    count += 1
    const question = { host: attack.host, headers: basic("ada", `wrong-${count}`) }
    asked.push(
      ask({ port }, question).then(({ status }) => {
        statuses.set(status, (statuses.get(status) ?? 0) + 1)
      }),
    )
  }
  const question = { host: "other.test" }
  const arrivals = await openLoad({ port, question, perSecond, seconds, seed: 7 })
  clearInterval(trying)
  await Promise.all(asked)
  return [
    attack.name,
    ...figures(arrivals),
    [...statuses].map(([status, n]) => `${n} × ${status}`).join(", "),
  ]
}

function figures(arrivals: readonly Arrival[]): (string | number)[] {
  const took = arrivals.map(({ tookMs }) => tookMs)
  const failed = arrivals.filter(({ status }) => status !== 204).length
  return [...[0.5, 0.99, 0.999].map((share) => quantile(took, share).toFixed(1)), failed]
}

function report(): void {
  write({
    name: "passwords",
    title: "Requests of others while somebody tries passwords",
    method: `Two workers. ${perSecond} requests a second, Poisson arrivals over ${seconds} s, for a host that asks for nothing, answered by nginx itself; measured from when they are due. Meanwhile one client sends
wrong passwords, each another one, to a host whose user has a hash of bcrypt with cost 12: about a quarter of a second of CPU each. The load runs on the same two cores.`,
    columns: ["passwords", "p50, ms", "p99, ms", "p99.9, ms", "failed", "answers to those who try"],
    rows,
    remarks: [
      `The run had the machine to itself as far as the scheduler can grant that (\`echo -20 > /proc/self/autogroup\`). The threads are at nice 10, which counts within nginx's control group only: where others
compete with it for the CPUs, what the threads take is taken from nginx's share. At a load of 5 of others on the two cores, and without that setting, p99 was 4.6 ms without and 170 ms with the attack; with
nginx's own module 6.4 s.`,
    ],
  })
}
