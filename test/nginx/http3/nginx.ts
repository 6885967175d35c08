import { nginxTraits } from "../../../controller/output/nginx/version.ts"
import { nginxBinary } from "../../../harness/paths.ts"

/** Whether the nginx of this machine was built with HTTP/3. */
export const { hasHttp3 } = await nginxTraits(nginxBinary)
