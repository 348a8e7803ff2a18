// Reads the gateway's store: searches both addresses of a chat and merges the answers.
import type * as v from 'valibot'
import { GatewayError, type Gateway, type MessageSearch } from '#server/gateway.ts'
import type { Ask } from '../ask.ts'
import { fieldsOf } from '../message/field.ts'
import { layersOf } from '../message/message-names.ts'
import { Media, MessagePage } from './answers.ts'

type Page = v.InferOutput<typeof MessagePage>['messages']

export function createSearch(ask: Ask): Pick<Gateway, 'findMessages' | 'fetchMedia'> {
  async function find(name: string, body: object): Promise<Page> {
    const path = `/chat/findMessages/${name}`
    return (await ask(MessagePage, ['findMessages', name, 'POST', path], { body })).messages
  }

  async function load(name: string, message: object) {
    const path = `/chat/getBase64FromMediaMessage/${name}`
    const { base64 } = await ask(Media, ['fetchMedia', name, 'POST', path], { body: { message } })
    return Buffer.from(base64, 'base64')
  }

  /**
   * Returns a stored message without its wrappers; null if it has none. The gateway opens only four kinds of wrapper,
   * but fetches the file of any message that it is given without one.
   */
  async function openedMessage(name: string, id: string): Promise<object | null> {
    const { records } = await find(name, { where: { key: { id } }, page: 1, offset: 1 })
    const layers = [...layersOf(fieldsOf(records[0]?.['message']) ?? {})]
    return layers.length > 1 ? (layers.at(-1)?.message ?? null) : null
  }

  return {
    async findMessages(name, search) {
      const pages: Page[] = []
      // One after the other, to spare the gateway's database. In its API `offset` is the page size.
      for (const key of keysOf(search)) {
        const where = { key, ...timesOf(search) }
        pages.push(await find(name, { where, page: search.page, offset: search.pageSize }))
      }
      return {
        records: merged(pages.map((page) => page.records)),
        hasMore: pages.some((page) => page.currentPage < page.pages),
      }
    },
    async fetchMedia(name, messageId) {
      const key = { id: messageId }
      try {
        return await load(name, { key })
      } catch (error) {
        if (!(error instanceof GatewayError) || error.fault !== 'refused') throw error
        const message = await openedMessage(name, messageId)
        if (message === null) throw error
        return load(name, { key, message })
      }
    },
  }
}

/** With both addresses in one call, Evolution 2.3.6 finds only the first. */
const keysOf = ({ jid }: MessageSearch) =>
  jid === undefined ? [{}] : [{ remoteJid: jid }, { remoteJidAlt: jid }]

const timesOf = ({ between }: MessageSearch) =>
  between === undefined
    ? {}
    : { messageTimestamp: { gte: iso(between.fromSeconds), lte: iso(between.toSeconds) } }

const iso = (seconds: number) => new Date(seconds * 1000).toISOString()

/** Newest first; 2.3.7 may store one message twice. */
function merged(lists: Page['records'][]): Page['records'] {
  const byId = new Map(lists.flat().map((record) => [record.key.id, record]))
  return [...byId.values()].toSorted((one, other) => other.messageTimestamp - one.messageTimestamp)
}
