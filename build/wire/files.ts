import { readFileSync } from "node:fs"
import { join } from "node:path"
import { format } from "prettier"
import { algorithms, ids, kindsOfFilter, lists, tables } from "./assemblyscript.ts"
import { inDocs } from "./docs.ts"
import { newerFixtures, overridesFixture } from "./fixture.ts"
import { constants, overridesOfRust, overridesOfRustTest } from "./rust.ts"
import { overridesModel, postedTypes, routeModel, routeRows, wordsOfModel } from "./typescript.ts"

const root = join(import.meta.dirname, "../..")
const docs = "docs/wire.md"

/** All that is printed, by path. The same tables give the same text. */
export async function printed(): Promise<Readonly<Record<string, string>>> {
  return {
    "controller/model/overrides.ts": overridesModel(),
    "controller/model/route-records.ts": routeModel(),
    "controller/model/words.ts": wordsOfModel(),
    "controller/output/control/posted.ts": postedTypes(),
    "controller/output/control/posted-rows.ts": routeRows(),
    "balancer-as/assembly/algorithms.ts": await formatted(algorithms()),
    "balancer-as/assembly/ids.ts": await formatted(ids()),
    "balancer-as/assembly/control/tables.ts": await formatted(tables()),
    "balancer-as/assembly/control/kinds.ts": await formatted(kindsOfFilter()),
    "balancer-as/assembly/control/lists.ts": await formatted(lists()),
    "nginx/wire/src/ids.rs": constants(),
    "nginx/routes/src/overrides/fields.rs": overridesOfRust(),
    "nginx/routes/tests/routes/overrides.rs": overridesOfRustTest(),
    ...overridesFixture(),
    ...newerFixtures(),
    [docs]: inDocs(readFileSync(join(root, docs), "utf8")),
  }
}

/** As `npm run lint` wants AssemblyScript. */
function formatted(text: string): Promise<string> {
  return format(text, {
    filepath: "a.ts",
    plugins: ["assemblyscript-prettier"],
    printWidth: 110,
    semi: false,
  })
}
