import { readFileSync } from "node:fs"
import { join } from "node:path"
import { format } from "prettier"
import {
  abiTable,
  codesOfRust,
  namesOfAssemblyScript,
  tableOfAssemblyScript,
  tableOfRust,
  tableOfTypeScript,
} from "./abi.ts"
import { algorithms, ids, kindsOfFilter, lists, tables } from "./assemblyscript.ts"
import { inDocs, wireTable } from "./docs.ts"
import { newerFixtures, overridesFixture } from "./fixture.ts"
import { constants, overridesOfRust, overridesOfRustTest } from "./rust.ts"
import {
  backendModel,
  listModel,
  overridesModel,
  postedTypes,
  routeModel,
  routeRows,
  streamModel,
  tlsModel,
  wordsOfModel,
} from "./typescript.ts"

const root = join(import.meta.dirname, "../..")

/** All that is printed, by path. The same tables give the same text. */
export async function printed(): Promise<Readonly<Record<string, string>>> {
  return {
    "controller/model/access-lists.ts": listModel(),
    "controller/model/backend.ts": backendModel(),
    "controller/model/overrides.ts": overridesModel(),
    "controller/model/route-records.ts": routeModel(),
    "controller/model/stream.ts": streamModel(),
    "controller/model/tls-records.ts": tlsModel(),
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
    "nginx/abi/src/table.rs": tableOfRust(),
    "nginx/abi/src/codes.rs": codesOfRust(),
    "policy-as/assembly/lib/abi.ts": await formatted(tableOfAssemblyScript()),
    "policy-as/assembly/foreign.ts": await formatted(namesOfAssemblyScript("policy")),
    "balancer-as/assembly/foreign.ts": await formatted(namesOfAssemblyScript("filter")),
    "harness/abi.ts": tableOfTypeScript(),
    ...page("docs/wire.md", wireTable),
    ...page("docs/abi.md", abiTable),
  }
}

function page(path: string, tableOf: (name: string) => string): Record<string, string> {
  return { [path]: inDocs(readFileSync(join(root, path), "utf8"), tableOf) }
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
