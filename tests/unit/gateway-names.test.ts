// Only the gateways' own folder, settings and screens of settings may name a kind of gateway.
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { ROOMS } from '#server/whatsapp/gateway/rooms.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')
/** The gateways' folder, settings, and screens where an administrator enters an address. */
const NAMING = [
  /^server\/whatsapp\/gateway\//,
  /^server\/(env|settings)\.ts$/,
  /^server\/whatsapp\/gateway-location\.ts$/,
  // These files decide which gateway the demonstration imitates.
  /^server\/(main|demo\/whatsapp)\.ts$/,
  /^src\/features\/first-hour\//,
  /^src\/features\/admin-account\/account-page\.tsx$/,
]

const NAMES = new RegExp(Object.keys(ROOMS).join('|'), 'i')

const sourcesOf = (folder: string) =>
  readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(ts|tsx|mjs)$/.test(file))
    .map((file) => path.join(folder, file))

test('no file outside them names a gateway', () => {
  const files = ['server', 'src', 'service-worker'].flatMap(sourcesOf)
  const naming = files.filter((file) => NAMES.test(readFileSync(path.join(ROOT, file), 'utf8')))
  expect(naming.filter((file) => !NAMING.some((place) => place.test(file)))).toEqual([])
  // Proves that the pattern finds names at all.
  expect(naming).toContain('server/env.ts')
  expect(naming.length).toBeGreaterThan(10)
})
