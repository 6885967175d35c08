// What is wrong with the Ingresses of ../shared/corpus, by kind of Problem: build/node build/corpus.ts [--all] for every sentence.
import type { Problem } from "../controller/model/problem.ts"
import { readCorpus, servicesOf } from "../harness/corpus.ts"
import { ingressClass } from "../harness/manifests.ts"
import { changesOf, optionsOf, translationOf } from "../harness/translation.ts"

const showsAll = process.argv.includes("--all")
const ingresses = readCorpus().map(({ ingress }) => ingress)
const objects = [ingressClass, ...servicesOf(ingresses, 8080), ...ingresses]
const { model, problems } = translationOf(
  objects.flatMap((object) => changesOf(object, "corpus")),
  optionsOf(["--manifests=corpus"]),
)
const { hosts } = model.live
console.log(`${ingresses.length} Ingresses, ${hosts.length} hosts, ${model.fixed.locations.length} locations`)
console.log(`${problems.length} Problems`)

/** Ingresses that are not served as they were by ingress-nginx, because wick does not do what they ask for. */
const without = problems.filter(
  ({ code }) => code === "annotation-guard-closes" || code === "snippet-in-part",
)
const named = Map.groupBy(without, ({ message }) => /annotation "([^"]*)"/i.exec(message)?.[1] ?? message)
console.log(`${count(without)} Ingresses have something without effect:`)
for (const [name, same] of [...named].sort(([, a], [, b]) => b.length - a.length))
  console.log(`  ${count(same)}× ${name}`)

const byCode = Map.groupBy(problems, ({ code }: Problem) => code)
for (const [code, same] of [...byCode].sort(([, a], [, b]) => b.length - a.length)) {
  console.log(`\n${code}: ${same.length}`)
  const sentences = [...Map.groupBy(same, ({ message }: Problem) => message)].sort(
    ([, a], [, b]) => b.length - a.length,
  )
  for (const [message, { length }] of showsAll ? sentences : sentences.slice(0, 1)) {
    console.log(`  ${length}× ${message}`)
  }
}

function count(of: readonly Problem[]): number {
  return new Set(of.map(({ object }) => JSON.stringify(object))).size
}
