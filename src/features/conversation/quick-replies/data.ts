// The composer's quick replies: the broker's own before the shared ones, each in its owner's order.
import { mutationOptions, type QueryClient, queryOptions } from '@tanstack/react-query'
import * as v from 'valibot'
import { rows, rpc } from '#api/client.ts'
import { PortalError } from '#domain/errors.ts'
import type { QuickReply } from '#domain/message/quick-reply.ts'
import { cachedOffline } from '#data/cached-offline.ts'
import { keys } from '#data/keys.ts'

const QuickReplyRow = v.object({
  id: v.string(),
  broker_id: v.nullable(v.string()),
  title: v.string(),
  body: v.string(),
})
const SaveAnswer = v.object({ success: v.boolean(), message: v.nullable(v.string()) })

export function quickRepliesQuery() {
  return queryOptions({
    queryKey: keys.quickReplies(),
    queryFn: cachedOffline(KEPT, async ({ signal }): Promise<readonly QuickReply[]> => {
      const answer = await rows(
        'quick_replies',
        {
          select: Object.keys(QuickReplyRow.entries).join(),
          order: 'broker_id.asc.nullslast,order_index,title',
        },
        signal,
      )
      return v.parse(v.array(QuickReplyRow), answer).map(toQuickReply)
    }),
    // They rarely change.
    staleTime: 5 * 60_000,
  })
}

const KEPT = { kind: 'quick-replies', most: 1, version: 1 }

function toQuickReply({ id, broker_id, title, body }: v.InferOutput<typeof QuickReplyRow>): QuickReply {
  return { id, title, body, isShared: broker_id === null }
}

/** Adds a reply, or changes the one with that id. Throws `quick-reply.refused` with the server's text. */
export function saveQuickReply() {
  return mutationOptions({
    mutationFn: async (reply: QuickReply, { client }) => {
      const answer = await rpc('save_quick_reply', {
        p_id: reply.id,
        p_title: reply.title,
        p_body: reply.body,
      })
      const { success, message } = v.parse(SaveAnswer, answer)
      if (!success) throw new PortalError('quick-reply.refused', message ?? 'Não foi possível salvar.')
      await readAgain(client)
    },
  })
}

export function removeQuickReply() {
  return mutationOptions({
    mutationFn: async (id: string, { client }) => {
      await rpc('remove_quick_reply', { p_id: id })
      await readAgain(client)
    },
  })
}

/** Shown in the new order at once, reverted if saving fails. */
export function orderQuickReplies() {
  return mutationOptions({
    mutationFn: async (ordered: readonly QuickReply[], { client }) => {
      client.setQueryData<readonly QuickReply[]>(keys.quickReplies(), (known = []) => {
        const places = new Map(ordered.map(({ id }, index) => [id, index]))
        const rest = known.filter(({ id }) => !places.has(id))
        return ordered[0]?.isShared ? [...rest, ...ordered] : [...ordered, ...rest]
      })
      try {
        await rpc('order_quick_replies', { p_ids: ordered.map(({ id }) => id) })
      } finally {
        await readAgain(client)
      }
    },
  })
}

const readAgain = (client: QueryClient) => client.invalidateQueries({ queryKey: keys.quickReplies() })
