// Reads messages and files from WAHA, always at the address that the portal is configured with.
import type { Gateway, MessageSearch } from '#server/gateway.ts'
import { createLanes } from '#server/lanes.ts'
import type { Ask } from '../ask.ts'
import { gatewayError } from '../faults.ts'
import { Bytes, Page, Phone, WithMedia, type Row } from './answers.ts'
import { chatOf } from './ask.ts'

/** A file is held in memory as a whole. */
const FILES_AT_ONCE = 3

export function createSearch(ask: Ask): Pick<Gateway, 'findMessages' | 'fetchMedia' | 'fetchFile'> {
  const inTurn = createLanes(FILES_AT_ONCE)

  async function fetchFile(name: string, address: string): Promise<Uint8Array> {
    const path = filePathOf(address)
    if (path === null) throw gatewayError('fetchMedia', 'refused')
    return inTurn(() => ask(Bytes, ['fetchMedia', name, 'GET', path], { isFile: true }))
  }

  return {
    async findMessages(name, search) {
      const path = `/api/${name}/chats/${searchOf(search)}`
      const { isEmpty, records } = await ask(Page, ['findMessages', name, 'GET', path])
      // WAHA leaves out rows after it has cut the page, so a page may be short, and even have no record.
      if (isEmpty || !search.jid?.endsWith('@lid')) return { records, hasMore: !isEmpty }
      const lid = `/api/${name}/lids/${encodeURIComponent(search.jid)}`
      const { pn: phone } = await ask(Phone, ['findMessages', name, 'GET', lid])
      return { records: phone === null ? records : records.map(withPhone(phone)), hasMore: true }
    },
    async fetchMedia(name, messageId) {
      const path = `/api/${name}/chats/all/messages/${encodeURIComponent(messageId)}?downloadMedia=true`
      const { media } = await ask(WithMedia, ['fetchMedia', name, 'GET', path])
      if (!media?.url) throw gatewayError('fetchMedia', 'refused')
      return fetchFile(name, media.url)
    },
    fetchFile,
  }
}

/** Adds the phone of a hidden id (LID) in the protocol's field for it. */
const withPhone =
  (phone: string) =>
  ({ _data: data, ...row }: Row) => ({
    ...row,
    _data: { ...data, key: { remoteJidAlt: phone, ...data.key } },
  })

/** Without `downloadMedia`, the server would download the file of every message. */
function searchOf({ jid, between, page, pageSize }: MessageSearch): string {
  const offset = (page - 1) * pageSize
  const { fromSeconds, toSeconds } = between ?? {}
  const times = between ? `&filter.timestamp.gte=${fromSeconds}&filter.timestamp.lte=${toSeconds}` : ''
  const chat = jid === undefined ? 'all' : encodeURIComponent(chatOf(jid))
  return `${chat}/messages?limit=${pageSize}&offset=${offset}&downloadMedia=false&sortOrder=desc${times}`
}

/** Only the path is used: the host is what WAHA takes for its own, and must not get the key. */
function filePathOf(address: string): string | null {
  if (!URL.canParse(address)) return null
  return /\/api\/files\/(?:[\w.%~-]+\/)*[\w.%~-]+$/.exec(new URL(address).pathname)?.[0] ?? null
}
