// Makes a fresh clone ready to run: Node version, packages, build; each only when needed, one at a time (PRODUCT.md 3).
// By itself (`node server/cli/setup.mjs`) it installs the packages and builds nothing.
import { build } from './build.mjs'
import { isBuilt } from './freshness.mjs'
import { command } from './house.mjs'
import { checkNode, install, isInstalled } from './install.mjs'
import { withSetupLock } from './setup-lock.mjs'

/** @param {{ isBuildWanted: boolean }} wanted */
export async function setUp({ isBuildWanted }) {
  await checkNode()
  const isReady = async () => (await isInstalled()) && (!isBuildWanted || (await isBuilt()))
  if (await isReady()) return
  await withSetupLock(async () => {
    if (!(await isInstalled())) await install()
    if (isBuildWanted && !(await isBuilt())) await build()
  })
}

await command(import.meta.url, () => setUp({ isBuildWanted: false }))
