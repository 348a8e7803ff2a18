// Reads recordings of the real gateway as exchanges of request and answer, without the parts that may differ.
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'

export type Exchange = {
  method: string
  path: string
  body: string | null
  status: number
  answer: unknown
  /** The recording ends in the middle of the answer. */
  isCut: boolean
}

/** The folder that EVOLUTION_RECORDINGS names. Null: there are no recordings. */
export function recordingsFolder(): string | null {
  const folder = process.env['EVOLUTION_RECORDINGS'] ?? ''
  return existsSync(folder) ? folder : null
}

export function readExchanges(folder: string, name: string): Exchange[] {
  const text = readFileSync(path.join(folder, name), 'utf8')
  return [...text.matchAll(/^### (\S+) (\S+) ?(.*)\n-> (\d+) \(\d+ms\) (.*)$/gm)].map((match) => {
    const [, method = '', path = '', body = '', status, answer = ''] = match
    const isCut = answer.endsWith('…')
    const whole = isCut ? closed(answer.slice(0, -1)) : answer
    return { method, path, body: body || null, status: Number(status), answer: JSON.parse(whole), isCut }
  })
}

/** Completes truncated JSON: drops the last unfinished member and closes the brackets. */
function closed(prefix: string): string {
  const open: string[] = []
  let isInString = false
  let end = 0
  let closers = ''
  for (let at = 0; at < prefix.length; at++) {
    const char = prefix[at] ?? ''
    if (isInString) {
      if (char === '\\') at++
      else if (char === '"') isInString = false
      continue
    }
    if (char === '"') isInString = true
    else if (char === '{' || char === '[') open.unshift(char === '{' ? '}' : ']')
    else if (char === '}' || char === ']') open.shift()
    else if (char !== ',') continue
    if (char === ',' || char === '}' || char === ']') {
      end = char === ',' ? at : at + 1
      closers = open.join('')
    }
  }
  return prefix.slice(0, end) + closers
}

/** Values that differ on every run, or that the recorder typed by hand. */
const VARYING =
  /^(id|low|instanceId|messageId|createdAt|updatedAt|disconnectionAt|code|url|base64|directPath|messageTimestamp|mediaKeyTimestamp|mediaKey|fileSha256|fileEncSha256|ephemeralSettingTimestamp|height|width|source)$/
/** Left out of the comparison, because the simulator makes no thumbnails. */
const LEFT_OUT = 'jpegThumbnail'

/**
 * The answer with varying values replaced by their kind, and records sorted by message id. The gateway's database
 * chooses which records of one second are on a page, so of a page with several only the counts are compared.
 */
export function normalised(value: unknown, name = ''): unknown {
  if (name === 'messages' && isPage(value)) {
    const { records, ...counts } = value
    if (counts.pages > 1) return counts
    return { ...counts, records: Object.fromEntries(records.map((one) => [one.key.id, normalised(one)])) }
  }
  if (VARYING.test(name) && value !== null) return typeof value
  if (name === 'disconnectionObject' && typeof value === 'string')
    return normalised({ ...JSON.parse(value), date: '' })
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item) => normalised(item))
  if ('0' in value) return 'bytes'
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => key !== LEFT_OUT)
      .map(([key, item]) => [key, normalised(item, key)]),
  )
}

type Page = { pages: number; records: { key: { id: string } }[] }
const isPage = (value: unknown): value is Page =>
  typeof value === 'object' && value !== null && 'records' in value

export function readDeliveries(folder: string, name: string): unknown[] {
  const lines = readFileSync(path.join(folder, name), 'utf8').trim().split('\n')
  return lines.map((line) => (JSON.parse(line) as { body: unknown }).body)
}

/** The shape of each kind of delivery: names and types of its fields, without people and texts. */
export function byKind(deliveries: readonly unknown[]): Map<string, unknown> {
  const kinds = new Map<string, unknown>()
  for (const delivery of deliveries) {
    const { event = '', data } = delivery as { event?: string; data?: Record<string, unknown> | null }
    const marks = ['messageType', 'state', 'type'].map((mark) => data?.[mark])
    const key = Object.keys((data?.['key'] as object | undefined) ?? {}).length
    const isQuoting = data?.['contextInfo'] ? 'context' : ''
    const kind = [event, ...marks, key || '', isQuoting, 'sender' in (delivery as object) ? 'sender' : '']
    kinds.set(kind.filter(Boolean).join(' '), shapeOf(delivery))
  }
  return kinds
}

function shapeOf(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value === null ? null : typeof value
  if (Array.isArray(value)) return value.map(shapeOf)
  if ('0' in value) return 'bytes'
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => key !== LEFT_OUT)
      .map(([key, item]) => [key, shapeOf(item)]),
  )
}
