// Reads the server's store, and files: always at the portal's own address of the server.
import type { Gateway, MessageSearch } from '#server/gateway.ts'
import { gatewayError } from '../faults.ts'
import { Bytes, Page, Phone, WithMedia, type Row } from './answers.ts'
import type { Ask } from './client.ts'
import { chatOf } from './sends.ts'

const TIMEOUT_MS = 60_000
/** The server first downloads the file from WhatsApp. */
const MEDIA_TIMEOUT_MS = 110_000

export function createSearch(ask: Ask): Pick<Gateway, 'findMessages' | 'fetchMedia' | 'fetchFile'> {
  /** The phone behind a hidden id; null as long as WhatsApp has not told it. */
  async function phoneOf(instanceName: string, lid: string): Promise<string | null> {
    const path = `/api/${instanceName}/lids/${encodeURIComponent(lid)}`
    return (await ask(Phone, { operation: 'findMessages', method: 'GET', path, instanceName })).pn
  }

  async function fetchFile(instanceName: string, address: string): Promise<Uint8Array> {
    const path = filePathOf(address)
    if (path === null) throw gatewayError('fetchMedia', 'refused')
    const call = { operation: 'fetchMedia', method: 'GET', path, instanceName, isFile: true } as const
    return ask(Bytes, { ...call, limitMs: MEDIA_TIMEOUT_MS })
  }

  return {
    async findMessages(instanceName, search) {
      const path = `/api/${instanceName}/chats/${searchOf(search)}`
      const call = { operation: 'findMessages', method: 'GET', path, instanceName } as const
      const { isEmpty, records } = await ask(Page, { ...call, limitMs: TIMEOUT_MS })
      const { jid } = search
      const phone = jid?.endsWith('@lid') && !isEmpty ? await phoneOf(instanceName, jid) : null
      return {
        records: phone === null ? records : records.map((record) => withPhone(record, phone)),
        // A page may be short, and even have no record, because the server leaves out rows after counting them.
        hasMore: !isEmpty,
      }
    },
    async fetchMedia(instanceName, messageId) {
      const path = `/api/${instanceName}/chats/all/messages/${encodeURIComponent(messageId)}?downloadMedia=true`
      const call = { operation: 'fetchMedia', method: 'GET', path, instanceName } as const
      const { media } = await ask(WithMedia, { ...call, limitMs: MEDIA_TIMEOUT_MS })
      if (!media?.url) throw gatewayError('fetchMedia', 'refused')
      const bytes = await fetchFile(instanceName, media.url)
      return { base64: Buffer.from(bytes).toString('base64'), mimeType: media.mimetype }
    },
    fetchFile,
  }
}

/** Where the protocol has the phone of a hidden id. */
const withPhone = ({ _data: data, ...row }: Row, phone: string) => ({
  ...row,
  _data: { ...data, key: { remoteJidAlt: phone, ...data.key } },
})

/** Without `downloadMedia`, the server would download the file of every message. */
function searchOf({ jid, between, page, pageSize }: MessageSearch): string {
  const query = new URLSearchParams({
    limit: String(pageSize),
    offset: String((page - 1) * pageSize),
    downloadMedia: 'false',
    sortOrder: 'desc',
    ...(between && {
      'filter.timestamp.gte': String(between.fromSeconds),
      'filter.timestamp.lte': String(between.toSeconds),
    }),
  })
  return `${jid === undefined ? 'all' : encodeURIComponent(chatOf(jid))}/messages?${query.toString()}`
}

/**
 * The path of a file in a delivery or an answer. Its host is the server's own idea of its address, and must not get the
 * key.
 */
export function filePathOf(address: string): string | null {
  if (!URL.canParse(address)) return null
  return /\/api\/files\/(?:[\w.%~-]+\/)*[\w.%~-]+$/.exec(new URL(address).pathname)?.[0] ?? null
}
