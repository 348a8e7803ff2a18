// Puts the agency's brand into the page, the manifest and the service worker, and serves its icons.
import * as v from 'valibot'
import { accentsOf, isColor } from '#domain/brand.ts'
import type { Database } from '#server/db/database.ts'
import { errorFields, type Log } from '#server/log.ts'

const TITLE = 'Portal do Corretor'
/** Long enough to occur only once in the worker. */
const PUSH_TITLE = 'title:`Portal do Corretor`'
const ICON = /^\/icons\/(192|512|maskable-512|apple-touch-icon)\.png$/
const STYLES = /^\/assets\/brand-([0-9a-f]{6})\.css$/
const Brand = v.object({
  name: v.nullable(v.string()),
  color: v.nullable(v.pipe(v.string(), v.check(isColor))),
  /** Version of the icons; null: the built-in ones. */
  logo: v.nullable(v.string()),
})
export type Brand = v.InferOutput<typeof Brand>

export type Branding = ReturnType<typeof createBranding>

export function createBranding({ db, log }: { db: Database; log: Log }) {
  let last: Brand = { name: null, color: null, logo: null }
  let icons: { version: string; bytes: Readonly<Record<string, string>> } | null = null

  /** The last brand if the database does not answer, because a page is better than none. */
  async function read(): Promise<Brand> {
    try {
      const { rows } = await db.query(
        `select max(value #>> '{}') filter (where key = 'agency_name') as name,
          max(value #>> '{}') filter (where key = 'agency_color') as color,
          max(value ->> 'version') filter (where key = 'agency_logo' and value <> 'null') as logo
        from portal.settings where key in ('agency_name', 'agency_color', 'agency_logo')`,
      )
      last = v.parse(Brand, rows[0])
    } catch (error) {
      log.error('brand.not-read', errorFields(error))
    }
    return last
  }

  async function iconOf(version: string, name: string): Promise<Buffer | null> {
    if (icons?.version !== version) {
      const { rows } = await db.query<{ bytes: Readonly<Record<string, string>> }>(
        `select value -> 'icons' as bytes from portal.settings where key = 'agency_logo' and value ->> 'version' = $1`,
        [version],
      )
      if (!rows[0]) return null
      icons = { version, bytes: rows[0].bytes }
    }
    const base64 = icons.bytes[name]
    return base64 === undefined ? null : Buffer.from(base64, 'base64')
  }

  return {
    read,
    /**
     * The replacement of a built file; null: the file is served unchanged. `version` identifies the bytes.
     */
    async replace(
      address: string,
      file: () => Promise<Buffer>,
    ): Promise<{ bytes: Buffer; version: string } | null> {
      const icon = ICON.exec(address)?.[1]
      const fill = FILLS[address]
      if (icon === undefined && !fill) return null
      const brand = await read()
      if (fill) {
        if (isPlain(brand)) return null
        return { bytes: Buffer.from(fill(String(await file()), brand)), version: versionOf(brand) }
      }
      const bytes = brand.logo !== null && icon !== undefined ? await iconOf(brand.logo, icon) : null
      return bytes && { bytes, version: brand.logo ?? '' }
    },
  }
}

/** True: the built files need no change. */
const isPlain = ({ name, color, logo }: Brand) => name === null && color === null && logo === null

/** Differs for each brand; letters and digits only. */
const versionOf = ({ name, color, logo }: Brand) =>
  Buffer.from(JSON.stringify([name, color, logo])).toString('base64url')

const FILLS: Readonly<Record<string, (text: string, brand: Brand) => string>> = {
  '/index.html': fillPage,
  '/manifest.webmanifest': fillManifest,
  '/service-worker.js': fillWorker,
}

/** The name under the home screen icon. */
const shortName = (name: string | null) => (name === null ? TITLE : `Portal ${name}`)

function fillPage(html: string, { name, color, logo }: Brand): string {
  const styles = color === null ? '' : `<link rel="stylesheet" href="/assets/brand-${color.slice(1)}.css" />`
  const filled = html
    .replace(`<title>${TITLE}<`, () => `<title>${escaped([TITLE, name].filter(Boolean).join(' '))}<`)
    .replace(
      `web-app-title" content="${TITLE}"`,
      () => `web-app-title" content="${escaped(shortName(name))}"`,
    )
    .replace('</head>', () => `${styles}</head>`)
  if (logo === null) return filled
  return (
    filled
      // src/ui/primitives/brand-mark.tsx shows this icon; without a version the worker has it offline.
      .replace(
        /href="data:image[^"]*"\s+sizes="any"\s+type="image\/svg\+xml"/,
        'href="/icons/192.png" sizes="any"',
      )
      .replace('/icons/favicon-32.png" sizes="32x32"', () => `/icons/192.png?v=${logo}" sizes="192x192"`)
      .replace('/icons/apple-touch-icon.png', (found) => `${found}?v=${logo}`)
  )
}

function fillManifest(text: string, { name, logo }: Brand): string {
  const manifest = v.parse(Manifest, JSON.parse(text))
  const icons = manifest.icons.map((icon) =>
    logo !== null && ICON.test(icon.src) ? { ...icon, src: `${icon.src}?v=${logo}` } : icon,
  )
  return JSON.stringify({
    ...manifest,
    name: [TITLE, name].filter(Boolean).join(' '),
    short_name: shortName(name),
    icons,
  })
}

const Manifest = v.looseObject({ icons: v.array(v.looseObject({ src: v.string() })) })

/** Another brand makes another worker, so that installed apps fetch page, manifest and icons again. */
function fillWorker(text: string, brand: Brand): string {
  return text
    .replaceAll(/("revision":"[0-9a-f]{32})"/g, (_, revision: string) => `${revision}-${versionOf(brand)}"`)
    .replace(PUSH_TITLE, () => `title:${asCode(shortName(brand.name))}`)
}

/**
 * The agency's colours as a style sheet; null for another address. The address contains the colour, so the
 * content never changes.
 */
export function brandStyles(address: string): string | null {
  const hex = STYLES.exec(address)?.[1]
  if (hex === undefined) return null
  const { light, dark } = accentsOf(`#${hex}`)
  const names = Object.keys(light) as (keyof typeof light)[]
  // Same theme switches as in the built style sheet.
  const rules = names.map(
    (name) =>
      `--color-${name}:var(--lightningcss-light,${light[name]})var(--lightningcss-dark,${dark[name]});`,
  )
  return `:root{${rules.join('')}}`
}

const escaped = (text: string) =>
  text.replaceAll(/[^\p{L}\p{N} .,-]/gu, (sign) => `&#${sign.codePointAt(0)};`)
const asCode = (text: string) => JSON.stringify(text).replaceAll('\u2028', '').replaceAll('\u2029', '')
