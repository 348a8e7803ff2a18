// Makes a fresh clone ready to run: Node version, packages, build; each only when needed, one at a time.
// By itself (`node server/ops/cli/setup.mjs`) it installs the packages and builds nothing.
import { build } from '../build/build.mjs'
import { isBuilt } from '../build/freshness.mjs'
import { command } from './root.mjs'
import { checkNode, install, isInstalled } from './install.mjs'
import { withSetupLock } from './setup-lock.mjs'

/** @param {{ isBuildWanted: boolean }} wanted */
export async function setUp({ isBuildWanted }) {
  await checkNode()
  // What is built runs without the packages that built it.
  const isReady = isBuildWanted
    ? (await isBuilt()) && (await isInstalled({ toRun: true }))
    : await isInstalled()
  if (isReady) return
  await withSetupLock(async () => {
    if (!(await isInstalled())) await install()
    if (isBuildWanted && !(await isBuilt())) await build()
  })
}

await command(import.meta.url, () => setUp({ isBuildWanted: false }))
