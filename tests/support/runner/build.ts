// Builds the portal for tests of whole processes and for stories, once for the same sources.
import { build } from '#server/ops/build/build.mjs'
import { isBuilt } from '#server/ops/build/freshness.mjs'
import { withSetupLock } from '#server/ops/cli/setup-lock.mjs'

await withSetupLock(async () => {
  if (!(await isBuilt())) await build()
})
