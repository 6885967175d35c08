// Published Ingresses beside what `wick convert --for-wick` makes of them, both served by wick: `wick diff` asks both, and nothing that was refused is open.
import { expect, test } from "vitest"
import type { Conversion } from "../../../cli/convert/conversion.ts"
import { convert } from "../../../cli/convert/convert.ts"
import type { DiffReport } from "../../../cli/diff/report/report.ts"
import { lintObjectsOf } from "../../../cli/lint/objects.ts"
import { startBackends } from "../../../harness/backends.ts"
import { type CorpusIngress, hasCorpus, readCorpus, servicesOf } from "../../../harness/corpus.ts"
import { ingressClass, type Json, listOf, secret } from "../../../harness/manifests.ts"
import { rootAuthority } from "../../../harness/pki.ts"
import { changesOf, optionsOf } from "../../../harness/translation.ts"
import { startWick, type Wick } from "../../../harness/wick.ts"
import { runSubCommand } from "../../support/sub-command.ts"

const byDefault = "--default-ssl-certificate=edge/default"
const gateway = { namespace: "edge", name: "edge", gatewayClass: "wick" }
const gatewayClass: Json = {
  apiVersion: "gateway.networking.k8s.io/v1",
  kind: "GatewayClass",
  metadata: { name: "wick" },
  spec: { controllerName: "wick.dev/gateway" },
}

/** Names of Secrets for certificates, with the one for all other hosts. */
function secretsOf(ingresses: readonly CorpusIngress[]): readonly string[] {
  const names = ingresses.flatMap(({ metadata, spec }) => {
    const { tls = [] } = spec as { readonly tls?: readonly { readonly secretName?: string }[] }
    return tls.flatMap(({ secretName }) => (secretName ? [`${metadata.namespace}/${secretName}`] : []))
  })
  return [...new Set(["edge/default", ...names])]
}

function converted(objects: readonly Json[]): Conversion {
  const options = optionsOf(["--manifests=corpus", byDefault])
  const changes = objects.flatMap((object) => changesOf(object, "corpus"))
  const how = { gateway, allowsOpen: false, isForWick: true, nowMs: 0 }
  return convert(lintObjectsOf(changes, options, false), options, how)
}

const urlsOf = ({ port, httpsPort }: Wick) => `http://127.0.0.1:${port},https://127.0.0.1:${httpsPort}`

function serve(objects: readonly Json[]): Promise<Wick> {
  return startWick({
    manifests: { "all.json": listOf(objects) },
    // Nobody outside is asked for the names in them.
    flags: ["--resolv-conf=/dev/null", "--sync-rate-limit=100", byDefault],
  })
}

test.skipIf(!hasCorpus)(
  "598 published Ingresses: most answers are the same, and none is let in that was refused",
  async () => {
    await using backends = await startBackends("any")
    const identity = await (await rootAuthority()).issue({ cn: "corpus.test", names: ["corpus.test"] })
    const ingresses = readCorpus().map(({ ingress }) => ingress)
    const secrets = secretsOf(ingresses).map((name) => secret(name, identity.tlsData()))
    const around = [ingressClass, ...servicesOf(ingresses, backends[0]?.port ?? 0), ...secrets]
    await using old = await serve([...ingresses, ...around])
    const { objects, remarks } = converted([...ingresses, ...around])
    await using now = await serve([gatewayClass, ...(objects as unknown as Json[]), ...around])
    const all = [urlsOf(old), urlsOf(now), old.manifestsDir, "--json", "--insecure", "--rate=300"]
    const { failure, said } = await runSubCommand("diff", ...all)
    expect(failure).toBeUndefined()
    const { summary, groups } = JSON.parse(said) as DiffReport
    expect(summary).toMatchObject({ notAsked: 0, unanswered: 0 })
    expect(summary.asked).toBeGreaterThan(1300)
    expect(summary.same / summary.asked).toBeGreaterThan(0.85)
    const told = new Set(remarks.map(({ object: { namespace, name } }) => `${namespace}/${name}`))
    const opened = groups.filter(({ difference: { aspect, was, now: is }, ingresses: concerned }) => {
      const isOpen = aspect === "status" && /^(401|403|503)$/.test(was) && /^2/.test(is)
      return isOpen && !concerned.every((name) => told.has(name))
    })
    expect(opened).toEqual([])
  },
)
