import { data, type Row, repeatable, typed } from "../rows.ts"
import { flag, headerName, template } from "../values.ts"
import { answerRows, askingRows, everywhere, failures, tlsRows } from "./backends.ts"

// Backends of gRPC.

const when = [...failures.filter((it) => it !== "updating"), "http_502", "http_504"]

export const grpc: readonly Row[] = [
  data("grpc_pass", "location if", [template]),
  data("grpc_set_header", everywhere, [headerName, template], repeatable),
  ...askingRows("grpc", { data, typed }, when),
  ...answerRows("grpc", { data, typed }),
  ...tlsRows("grpc", { data, typed }),
  typed("grpc_ssl_verify", everywhere, [flag]),
]
