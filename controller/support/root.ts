import { findPackageJSON } from "node:module"
import { dirname } from "node:path"

/**
 * The folder with wick's package.json, absolute: the checkout, or /usr/local/lib/wick in the image. What is read at run time lies below it. Sources go by
 * that file, since the image has them in other folders than a checkout (build/javascript.ts).
 */
export const root = dirname(packageFile())

/** @throws Error where wick was taken out of its folder */
function packageFile(): string {
  const file = findPackageJSON(import.meta.url)
  if (file !== undefined) return file
  throw new Error(
    `No package.json in the folders of ${import.meta.filename}: install wick's folder as a whole`,
  )
}
