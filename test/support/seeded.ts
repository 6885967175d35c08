// Loaded before each file of tests: fast-check makes its inputs from `seed`.
import fc from "fast-check"
import { seed } from "./runs.ts"

fc.configureGlobal({ seed })
