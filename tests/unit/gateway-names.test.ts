// Behind the port nobody learns which gateway it is: only the rooms, settings and screens of settings name one.
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { ROOMS } from '#server/whatsapp/gateway/rooms.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')
/** The rooms, settings, and screens where an administrator enters an address. */
const NAMING = [
  /^server\/whatsapp\/gateway\//,
  /^server\/(env|settings)\.ts$/,
  /^server\/whatsapp\/gateway-location\.ts$/,
  // Whether this process is the demonstration, and which gateway it imitates.
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
  // The pattern finds what it looks for.
  expect(naming).toContain('server/env.ts')
  expect(naming.length).toBeGreaterThan(10)
})
