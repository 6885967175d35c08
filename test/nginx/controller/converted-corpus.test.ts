// Published Ingresses beside what `wick convert` makes of them, both served by wick: every Ingress that `wick diff` finds answered otherwise has a
// remark that says so beforehand.
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import type { Conversion } from "../../../cli/convert/conversion.ts"
import type { DiffReport } from "../../../cli/diff/report/report.ts"
import { startBackends } from "../../../harness/backends.ts"
import { type CorpusIngress, hasCorpus, readCorpus, servicesOf } from "../../../harness/corpus.ts"
import { ingressClass, type Json, listOf, secret } from "../../../harness/manifests.ts"
import { rootAuthority } from "../../../harness/pki.ts"
import { startWick, type Wick } from "../../../harness/wick.ts"
import { conversionOf, gatewayClass } from "../../support/conversions.ts"
import { runSubCommand } from "../../support/sub-command.ts"
import { type Compared, comparedTable, saidOf, sayingOf } from "./compared-corpus.ts"

const byDefault = "--default-ssl-certificate=edge/default"
const gateway = { namespace: "edge", name: "edge", gatewayClass: "wick" }
const ways = { wick: { gateway, isForWick: true }, any: { gateway, isForWick: false } }

/** Names of Secrets for certificates, with the one for all other hosts. */
function secretsOf(ingresses: readonly CorpusIngress[]): readonly string[] {
  const names = ingresses.flatMap(({ metadata, spec }) => {
    const { tls = [] } = spec as { readonly tls?: readonly { readonly secretName?: string }[] }
    return tls.flatMap(({ secretName }) => (secretName ? [`${metadata.namespace}/${secretName}`] : []))
  })
  return [...new Set(["edge/default", ...names])]
}

function serve(objects: readonly Json[]): Promise<Wick> {
  return startWick({
    manifests: { "all.json": listOf(objects) },
    // Nobody outside is asked for the names in them.
    flags: ["--resolv-conf=/dev/null", "--sync-rate-limit=100", byDefault],
  })
}

const urlsOf = ({ port, httpsPort }: Wick) => `http://127.0.0.1:${port},https://127.0.0.1:${httpsPort}`

describe.skipIf(!hasCorpus)("598 published Ingresses", () => {
  const ingresses = hasCorpus ? readCorpus().map(({ ingress }) => ingress) : []
  let around: readonly Json[]
  let old: Wick
  const parts = new AsyncDisposableStack()
  const found = new Map<string, Compared>()

  beforeAll(async () => {
    const backends = parts.use(await startBackends("any"))
    const identity = await (await rootAuthority()).issue({ cn: "corpus.test", names: ["corpus.test"] })
    const secrets = secretsOf(ingresses).map((name) => secret(name, identity.tlsData()))
    around = [ingressClass, ...servicesOf(ingresses, backends[0]?.port ?? 0), ...secrets]
    old = parts.use(await serve([...ingresses, ...around]))
  })
  afterAll(() => parts.disposeAsync())

  async function compared(conversion: Conversion): Promise<DiffReport> {
    const objects = conversion.objects as unknown as Json[]
    await using now = await serve([gatewayClass, ...objects, ...around])
    const all = [urlsOf(old), urlsOf(now), old.manifestsDir, "--json", "--insecure", "--rate=300"]
    const { failure, said } = await runSubCommand("diff", ...all)
    expect(failure).toBeUndefined()
    return JSON.parse(said) as DiffReport
  }

  test.each(Object.entries(ways))("what differs was said beforehand: for %s", async (name, way) => {
    const conversion = conversionOf([...ingresses, ...around], [byDefault], way)
    const { summary, groups } = await compared(conversion)
    expect(summary).toMatchObject({ notAsked: 0, unanswered: 0 })
    expect(summary.asked).toBeGreaterThan(1300)
    const one = { summary, groups, said: sayingOf(conversion.remarks, way.isForWick) }
    expect(saidOf("nothing", one)).toEqual([])
    found.set(name, one)
  })

  test("the table of the docs is what was found", async () => {
    const [wick, any] = [found.get("wick"), found.get("any")]
    if (wick === undefined || any === undefined) throw new Error("both were compared before")
    await expect(comparedTable(ingresses.length, wick, any)).toMatchFileSnapshot(
      "../../../docs/convert-corpus.md",
    )
  })
})
