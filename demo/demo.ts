// `npm run demo`: a real nginx with wick's modules and filter serves a directory of manifests, and the directory changes.
// `-- --once` ends by itself, with 0 when everything was as it should be.
import { type Act, acts, type Measured } from "./acts.ts"
import { hosts, type Stage, setStage } from "./stage.ts"
import { did, failed, heading, milliseconds, saw, say } from "./tell.ts"

const once = process.argv.slice(2).includes("--once")
const stopping = Promise.withResolvers<void>()
for (const name of ["SIGINT", "SIGTERM"] as const) process.on(name, () => stopping.resolve())

try {
  did("starting three small services and wick (a few seconds)")
  await using stage = await setStage()
  await Promise.race([show(stage), stopping.promise])
} catch (error) {
  failed(error instanceof Error ? error.message : String(error))
  process.exitCode = 1
}

async function show(stage: Stage): Promise<void> {
  introduce(stage)
  const measured: Measured[] = []
  const reloadsBefore = await reloads(stage)
  for (const [at, act] of acts.entries()) measured.push(...(await play(act, at + 1, stage)))
  const isFine = sumUp(stage, measured, (await reloads(stage)) - reloadsBefore)
  if (!isFine) throw new Error("Something was not as it should be: see above")
  if (once) return
  invite(stage)
  await stopping.promise
  say("\nStopping")
}

function introduce({ wick, backends }: Stage): void {
  say(
    `Three services with ${backends.length} endpoints, ${hosts.length} Ingresses, one nginx on http://127.0.0.1:${wick.port}`,
  )
  did(`manifests: ${wick.manifestsDir}`)
  did(`everything nginx needs: ${wick.runtimeDir}`)
  did("a little traffic goes to all hosts from now on, through every change")
}

async function play(act: Act, number: number, stage: Stage): Promise<Measured[]> {
  heading(number, act.title)
  const measured = await act.play(stage)
  return measured === undefined ? [] : [measured]
}

/** How often nginx has loaded a configuration so far; the first load at the start is one. */
function reloads({ wick }: Stage): Promise<number> {
  return wick.metric("nginx_ingress_controller_success")
}

function sumUp({ traffic, wick }: Stage, measured: readonly Measured[], reloadCount: number): boolean {
  const { requests, statuses, lost } = traffic.result
  const good = statuses.get(200) ?? 0
  const bad = lost.length + [...statuses.values()].reduce((sum, count) => sum + count, 0) - good
  say()
  for (const { change, ms } of measured) saw(`${change}: ${milliseconds(ms)} from saving the file to traffic`)
  const verdict = (isFine: boolean, text: string) => (isFine ? saw(text) : failed(text))
  verdict(
    reloadCount === 0,
    `${reloadCount} reloads of nginx since it started, workers ${wick.workers().join(", ")} all along`,
  )
  verdict(bad === 0, `${requests} requests meanwhile, ${bad} failed`)
  return reloadCount === 0 && bad === 0
}

function invite({ wick }: Stage): void {
  say("\nTry it yourself, until Ctrl-C:\n")
  say(`  curl -H 'Host: shop.demo' http://127.0.0.1:${wick.port}/`)
  say(`  for i in $(seq 9); do curl -s -H 'Host: shop.demo' http://127.0.0.1:${wick.port}/; echo; done`)
  say(`  curl -H 'Host: shop.demo' -H 'x-wick-fault: trap' http://127.0.0.1:${wick.port}/`)
  say(`  sed -i s/news.demo/latest.demo/ ${wick.manifestsDir}/ingress-news.yaml`)
  say(`  curl -H 'Host: latest.demo' http://127.0.0.1:${wick.port}/`)
  say(`  curl -s http://127.0.0.1:${wick.healthPort}/metrics | grep -E '^(nginx|wick)_'`)
  say(`  curl -s --unix-socket ${wick.runtimeDir}/control/control.sock http://control/configuration/backends`)
}
