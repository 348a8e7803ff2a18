// The Docker image made from the Dockerfile without Docker: built from the allowed context, started, and checked for
// health.
import { execFileSync } from 'node:child_process'
import { chmod, copyFile, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { buildImage, copyContext, NODE_USER, type Image } from '#tests/support/docker-image.ts'
import { startNode, type Watched } from '#tests/support/process.ts'
import { byTier } from '#tests/support/runner/tier.ts'

let folder = ''
let portal: Watched | undefined
afterEach(async () => {
  await portal?.kill('SIGKILL')
  await rm(folder, { recursive: true, force: true })
})

/**
 * Hard links to the installed packages, which is seconds faster than npm. npm rewrites its record in place, so that is
 * a copy.
 */
async function linkPackages(into: string) {
  execFileSync('cp', ['--archive', '--link', 'node_modules', into])
  const record = path.join(into, 'node_modules/.package-lock.json')
  await rm(record)
  await copyFile('node_modules/.package-lock.json', record)
}

const inImage = ({ workdir, env }: Image, [, ...args]: string[], more: Record<string, string>) =>
  startNode(args, { cwd: workdir, user: NODE_USER, env: { ...env, HOST: '127.0.0.1', ...more } })

test('the Dockerfile builds from its context, and the image starts, is healthy, runs commands and stops properly', async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'portal-image-'))
  // The image's user is not root.
  await chmod(folder, 0o755)
  const context = path.join(folder, 'context')
  await copyContext('.', context)
  const dockerfile = await readFile('deploy/Dockerfile', 'utf8')
  const image = await buildImage(
    dockerfile,
    { context, into: path.join(folder, 'stages') },
    byTier<((into: string) => Promise<void>) | undefined>(linkPackages, undefined),
  )

  portal = inImage(image, image.cmd, { PORT: '0', DEMO: '0', LOG_LEVEL: 'warn' })
  const [, port = ''] = await portal.says(/Portal do Corretor em http:\/\/[^:]+:(\d+)/)
  const check = image.healthcheck
  expect(await inImage(image, check, { PORT: port }).ending).toMatchObject({ code: 0, errors: '' })
  expect(await portal.kill('SIGTERM')).toMatchObject({ code: 0, errors: '' })

  // The build matches the sources, so the command neither installs nor builds.
  const listing = await inImage(image, ['node', 'server/ops/cli/token.mjs', '--list'], { DEMO: '0' }).ending
  expect(listing).toMatchObject({ code: 0, output: 'Nenhum token de serviço.\n', errors: '' })
  expect(await inImage(image, check, { PORT: port }).ending).toMatchObject({ code: 1 })
}, 300_000)
