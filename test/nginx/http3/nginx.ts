import { nginxTraits } from "../../../controller/output/nginx/version.ts"
import { nginxBinary } from "../../../harness/paths.ts"

/** Of the nginx of this machine: whether it was built with HTTP/3. */
export const { hasHttp3, version } = await nginxTraits(nginxBinary)
