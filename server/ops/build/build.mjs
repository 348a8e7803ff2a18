// `npm run build`: the build that `npm start` runs by itself when dist is outdated.
import { command, inRoot, run, say, Stop } from '../cli/root.mjs'
import { withSetupLock } from '../cli/setup-lock.mjs'

/** In a separate process, because the bundler's memory must not stay with the portal that starts next. */
export async function build() {
  say('Construindo o portal…')
  // A test runner sets NODE_ENV to test, and the bundler would build an app for tests.
  const env = { ...process.env, NODE_ENV: 'production' }
  const code = await run(process.execPath, [inRoot('server/ops/build/bundle.mjs')], { env })
  if (code !== 0) throw new Stop('Não foi possível construir o portal: veja o erro acima.')
}

await command(import.meta.url, () => withSetupLock(build))
