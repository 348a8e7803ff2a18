// Builds dist: client (the app, precompressed), releases (assets of earlier ones) and server (the portal with the empty
// database for a first start). It builds in another folder and moves the result into place.
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { build } from 'vite'
import { chunkMap } from './chunk-map.mjs'
import { CLUSTER, makeCluster } from './cluster.mjs'
import { precompress } from './compress.mjs'
import { CHUNK_MAP, hashOfInputs, STAMP } from './freshness.mjs'
import { command, inRoot, root } from '../cli/root.mjs'
import { writeNotices } from './notices.mjs'
import { keepReleases } from './releases.mjs'

const DIST = inRoot('dist')
const ASIDE = path.join(DIST, 'in-progress')

async function bundle() {
  // Before the sources are read, so that a change during the build makes the next start build again.
  const stamp = await hashOfInputs()
  await rm(ASIDE, { recursive: true, force: true })
  await mkdir(ASIDE, { recursive: true })
  const cluster = path.join(ASIDE, CLUSTER)
  await Promise.all([makeCluster(cluster), bundleAll()])
  await rename(cluster, path.join(ASIDE, 'server', CLUSTER))

  await keepReleases({
    next: path.join(ASIDE, 'client/assets'),
    current: path.join(DIST, 'client/assets'),
    earlier: path.join(DIST, 'releases'),
    wanted: path.join(ASIDE, 'releases'),
  })

  await rm(STAMP, { force: true })
  // The app last: if the build is interrupted, its assets are still there to be kept.
  for (const name of (await readdir(ASIDE)).toSorted().toReversed()) {
    await rm(path.join(DIST, name), { recursive: true, force: true })
    await rename(path.join(ASIDE, name), path.join(DIST, name))
  }
  await rm(ASIDE, { recursive: true })
  await writeFile(STAMP, stamp)
}

async function bundleAll() {
  await buildInto('client', { plugins: [chunkMap(path.join(ASIDE, path.basename(CHUNK_MAP)))] })
  await writeNotices(path.join(ASIDE, 'client/licencas.txt'))
  // In parallel, because compression runs in other threads than bundling.
  await Promise.all([precompress(path.join(ASIDE, 'client')), buildInto('server', { build: { ssr: true } })])
}

/**
 * @param {string} folder
 * @param {import('vite').InlineConfig} config
 */
const buildInto = (folder, config) =>
  build({
    ...config,
    root,
    logLevel: 'warn',
    build: {
      ...config.build,
      outDir: path.join(ASIDE, folder),
      emptyOutDir: true,
      // Advice for tuning a build, which a newcomer would take for an error.
      rolldownOptions: { checks: { bundlerTimings: false, moduleLevelDirective: false } },
    },
  })

await command(import.meta.url, bundle)
