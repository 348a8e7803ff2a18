// Makes a fresh clone ready to run: Node version, packages, build; each only if needed, under a lock. Run directly
// (`node server/ops/cli/setup.mjs`), it installs the packages and does not build.
import { build } from '../build/build.mjs'
import { isBuilt } from '../build/freshness.mjs'
import { command } from './root.mjs'
import { checkNode, install, isInstalled } from './install.mjs'
import { withSetupLock } from './setup-lock.mjs'

/** @param {{ isBuildWanted: boolean, need?: 'build' | 'test' }} wanted `need`: what the packages are for */
export async function setUp({ isBuildWanted, need = 'test' }) {
  await checkNode()
  // The built portal runs without the packages that only the build needs.
  const isReady = isBuildWanted
    ? (await isBuilt()) && (await isInstalled(need === 'build' ? 'run' : need))
    : await isInstalled(need)
  if (isReady) return
  await withSetupLock(async () => {
    if (!(await isInstalled(need))) await install(need)
    if (isBuildWanted && !(await isBuilt())) await build()
  })
}

await command(import.meta.url, () => setUp({ isBuildWanted: false }))
