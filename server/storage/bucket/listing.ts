// Pages of ListObjectsV2: the media ids in a bucket, with their ages.
import { isMediaId } from '../media-store.ts'
import { BucketError, readText } from './faults.ts'
import type { BucketRequests } from './requests.ts'
import type { Reply } from './sending.ts'

export type Listed = { id: string; ageMs: number }

/** More than a page of 1,000 keys needs; a longer answer is no list. */
const MAX_PAGE_BYTES = 4 * 1024 * 1024

/**
 * All media ids in pages. A list may be outdated: it may lack new objects and contain deleted ones. Ages are by the
 * store's clock, which may round up, so that a fresh object has a negative age. Keys that are no media id are skipped.
 */
export async function* listPages(requests: BucketRequests): AsyncGenerator<Listed[]> {
  let token: string | null = null
  do {
    const from = token === null ? '' : `&continuation-token=${encodeURIComponent(token)}`
    const reply: Reply = await requests.ask({ method: 'GET', key: '', query: `?list-type=2${from}` })
    const text = await readText(reply.body, MAX_PAGE_BYTES)
    if (!text.includes('</ListBucketResult>')) throw new BucketError(reply.status, 'NoList')
    const nowMs = Date.parse(reply.headers.date ?? '')
    yield [...text.matchAll(/<Contents>(.*?)<\/Contents>/gs)].flatMap(([, item = '']) => {
      const id = textIn(item, 'Key') ?? ''
      const ageMs = nowMs - Date.parse(textIn(item, 'LastModified') ?? '')
      // An object without a readable time counts as fresh.
      return isMediaId(id) ? [{ id, ageMs: Number.isFinite(ageMs) ? ageMs : -Infinity }] : []
    })
    const next: string | null = textIn(text, 'NextContinuationToken')
    // Some stores repeat the cursor that they were asked with, which would never end.
    token = next === token ? null : next
  } while (token !== null)
}

function textIn(xml: string, tag: string): string | null {
  const [, text] = new RegExp(`<${tag}>([^<]*)</${tag}>`).exec(xml) ?? []
  return text === undefined ? null : unescape(text)
}

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

const unescape = (text: string) =>
  text.replaceAll(/&(#?\w+);/g, (whole, entity: string) => {
    if (!entity.startsWith('#')) return ENTITIES[entity] ?? whole
    const [, hex, decimal = ''] = /^#(?:x(\w+)|(\d+))$/i.exec(entity) ?? []
    return String.fromCodePoint(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16))
  })
