// Makes dist: client (the app, precompressed) and server (the portal), built aside and put in place whole.
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { build } from 'vite'
import { precompress } from './compress.mjs'
import { CLIENT_MANIFEST, hashOfInputs, STAMP } from './freshness.mjs'
import { command, inHouse, root } from './house.mjs'

const DIST = inHouse('dist')
const ASIDE = path.join(DIST, 'in-progress')
const CLIENT = path.join(ASIDE, 'client')
const MANIFEST = path.basename(CLIENT_MANIFEST)

async function bundle() {
  // Before the sources are read: a change while building makes the next start build again.
  const stamp = await hashOfInputs()
  await rm(ASIDE, { recursive: true, force: true })
  await mkdir(CLIENT, { recursive: true })

  await buildInto('client', { manifest: MANIFEST })
  await rename(path.join(CLIENT, MANIFEST), path.join(ASIDE, MANIFEST))
  await precompress(CLIENT)
  await buildInto('server', { ssr: true })

  await rm(STAMP, { force: true })
  for (const name of await readdir(ASIDE)) {
    await rm(path.join(DIST, name), { recursive: true, force: true })
    await rename(path.join(ASIDE, name), path.join(DIST, name))
  }
  await rm(ASIDE, { recursive: true })
  await writeFile(STAMP, stamp)
}

/**
 * @param {string} folder
 * @param {import('vite').BuildEnvironmentOptions} options
 */
const buildInto = (folder, options) =>
  build({
    root,
    logLevel: 'warn',
    build: { ...options, outDir: path.join(ASIDE, folder), emptyOutDir: true },
  })

await command(import.meta.url, bundle)
