import { routeNotes } from "../controller/inspect/notes.ts"
import { sharedServer } from "../controller/model/listener.ts"
import { backendsOf as namesOf } from "../controller/model/route.ts"
import { routeFields } from "../controller/output/control/wire-route.ts"
import type { Page, ShownRoute } from "./api.ts"
import { backendsOf, ingressName, liveOf, problemsByIngress, type Row, routesOf } from "./live-index.ts"
import type { Question } from "./question.ts"
import type { Sources } from "./sources.ts"

/** @throws Failure `bad-question` */
export function routesAnswer(question: Question, sources: Sources): Page<ShownRoute> {
  const live = liveOf(sources)
  const { rows } = routesOf(live)
  const { byName } = backendsOf(live)
  const problems = problemsByIngress(sources.lastPass)
  const keys = {
    place: ({ host, route }: Row) => host.host + route.path,
    match: ({ route }: Row) => route.match,
    backend: ({ route }: Row) => route.backend,
    ingress: ({ route }: Row) => ingressName(route),
    problems: ({ route }: Row) => problems.get(ingressName(route)) ?? 0,
  }
  return question.page(question.sorted(narrowed(rows, question), keys), ({ host, route }) => {
    const endpoints = byName.get(route.backend)?.endpoints.length
    const ingress = ingressName(route)
    return {
      host: host.server === sharedServer ? host.host : `${host.host} (${host.server})`,
      path: route.path,
      match: route.match,
      backend: route.backend,
      ...(endpoints !== undefined && { endpoints }),
      ingress,
      location: route.location,
      notes: routeNotes(routeFields(route)),
      problems: problems.get(ingress) ?? 0,
    }
  })
}

function narrowed(rows: readonly Row[], question: Question): readonly Row[] {
  const { words } = question
  const [ingress, backend] = [question.text("ingress"), question.text("backend")]
  if (words.length === 0 && ingress === "" && backend === "") return rows
  return rows.filter(
    ({ route, text }) =>
      words.every((word) => text.includes(word)) &&
      (ingress === "" || ingressName(route) === ingress) &&
      (backend === "" || namesOf(route).includes(backend)),
  )
}
