// Builds the portal for tests of whole processes and for stories; the same sources are not built again.
import { build } from '#server/ops/build/build.mjs'
import { isBuilt } from '#server/ops/build/freshness.mjs'
import { withSetupLock } from '#server/ops/cli/setup-lock.mjs'

export const setup = (): Promise<void> =>
  withSetupLock(async () => {
    if (!(await isBuilt())) await build()
  })
