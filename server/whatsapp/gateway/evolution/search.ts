// Reads the gateway's store: searches both addresses of a chat and merges the answers.
import * as v from 'valibot'
import { GatewayError, type Gateway, type MessageSearch } from '#server/gateway.ts'
import { Media, MessagePage } from './answers.ts'
import type { Ask } from './ask.ts'

const TIMEOUT_MS = 60_000
/** The gateway first downloads the file from WhatsApp. */
const MEDIA_TIMEOUT_MS = 110_000
type Page = v.InferOutput<typeof MessagePage>['messages']

export function createSearch(ask: Ask): Pick<Gateway, 'findMessages' | 'fetchMedia'> {
  return {
    async findMessages(instanceName, search) {
      const pages: Page[] = []
      // One after the other, to spare the gateway's database.
      for (const key of keysOf(search)) {
        const answer = await ask(MessagePage, {
          operation: 'findMessages',
          method: 'POST',
          route: '/chat/findMessages',
          instanceName,
          limitMs: TIMEOUT_MS,
          // In the gateway's API `offset` is the page size.
          body: { where: { key, ...timesOf(search) }, page: search.page, offset: search.pageSize },
        })
        pages.push(answer.messages)
      }
      return {
        records: merged(pages.map((page) => page.records)),
        hasMore: pages.some((page) => page.currentPage < page.pages),
      }
    },
    async fetchMedia(instanceName, messageId) {
      const key = { id: messageId }
      const load = async (message: object) => {
        const { base64, mimetype } = await ask(Media, {
          operation: 'fetchMedia',
          method: 'POST',
          route: '/chat/getBase64FromMediaMessage',
          instanceName,
          limitMs: MEDIA_TIMEOUT_MS,
          body: { message },
        })
        return { base64, mimeType: mimetype }
      }
      try {
        return await load({ key })
      } catch (error) {
        if (!(error instanceof GatewayError) || error.fault !== 'refused') throw error
        const message = await openedMessage(ask, instanceName, messageId)
        if (message === null) throw error
        return load({ key, message })
      }
    },
  }
}

/** The gateway unwraps only four kinds, but accepts an unwrapped message; null if it was not wrapped. */
async function openedMessage(ask: Ask, instanceName: string, messageId: string): Promise<object | null> {
  const { messages } = await ask(MessagePage, {
    operation: 'findMessages',
    method: 'POST',
    route: '/chat/findMessages',
    instanceName,
    limitMs: TIMEOUT_MS,
    body: { where: { key: { id: messageId } }, page: 1, offset: 1 },
  })
  const stored = messages.records[0]?.['message']
  return v.is(AnyMessage, stored) ? outOfWrappers(stored, MAX_WRAPPERS) : null
}

const AnyMessage = v.record(v.string(), v.unknown())
const Wrapper = v.looseObject({ message: AnyMessage })
const MAX_WRAPPERS = 12

/** Removes all wrappers, also unknown ones. */
function outOfWrappers(message: v.InferOutput<typeof AnyMessage>, most: number): object | null {
  const wrapper = Object.values(message).find((value) => v.is(Wrapper, value))
  if (wrapper === undefined || most === 0) return null
  return outOfWrappers(wrapper.message, most - 1) ?? wrapper.message
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
