// Reads, saves and sorts quick replies: the broker's own come before the shared ones, each in its owner's order.
import { mutationOptions, type QueryClient, queryOptions } from '@tanstack/react-query'
import * as v from 'valibot'
import { portal, rows, rpc } from '#api/client.ts'
import { upload } from '#api/upload.ts'
import { PortalError } from '#domain/errors.ts'
import type { QuickReply, ReplyFile } from '#domain/message/quick-reply.ts'
import { cachedOffline } from '#data/cached-offline.ts'
import { keys } from '#data/keys.ts'
import type { OutgoingFile } from '#offline/stores.ts'

const text = v.nullish(v.string(), null)
const amount = v.nullish(v.number(), null)
const File = v.object({
  kind: v.picklist(['image', 'video', 'audio', 'document']),
  content: v.object({
    mediaId: v.string(),
    mimeType: v.string(),
    fileName: text,
    sizeBytes: amount,
    seconds: amount,
    width: amount,
    height: amount,
  }),
})
const QuickReplyRow = v.object({
  id: v.string(),
  broker_id: v.nullable(v.string()),
  title: v.string(),
  body: v.string(),
  file: v.fallback(v.nullish(File), null),
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
    // Five minutes, because quick replies rarely change.
    staleTime: 5 * 60_000,
  })
}

const KEPT = { kind: 'quick-replies', most: 1, version: 2 }

function toQuickReply({ id, broker_id, title, body, file }: v.InferOutput<typeof QuickReplyRow>): QuickReply {
  return { id, title, body, isShared: broker_id === null, file: file ? toFile(id, file) : null }
}

function toFile(quickReplyId: string, { kind, content }: v.InferOutput<typeof File>): ReplyFile {
  const { mediaId, ...media } = content
  const unknown = { isVoice: false, isViewOnce: false, preview: null, waveform: null }
  return { quickReplyId, mediaId, kind, media: { ...media, ...unknown } }
}

/** The file to attach; null removes the present one. */
export type WantedFile = OutgoingFile | null

export type WantedReply = Pick<QuickReply, 'id' | 'title' | 'body'> & {
  /** Undefined keeps the reply's file as it is. */
  file: WantedFile | undefined
}

/** Adds a reply, or changes the one that has its id. Throws `quick-reply.refused` with the server's text. */
export function saveQuickReply() {
  return mutationOptions({
    mutationFn: async (reply: WantedReply, { client }) => {
      const path = `/api/quick-replies/${reply.id}/file` as const
      // The file is removed first, because a reply without file may have a longer text.
      if (reply.file === null) await portal(path, { method: 'DELETE' })
      const answer = await rpc('save_quick_reply', {
        p_id: reply.id,
        p_title: reply.title,
        p_body: reply.body,
      })
      const { success, message } = v.parse(SaveAnswer, answer)
      if (!success) throw new PortalError('quick-reply.refused', message ?? 'Não foi possível salvar.')
      if (reply.file) await upload({ path, body: formOf(reply.file), ...UNSEEN })
      await readAgain(client)
    },
  })
}

const UNSEEN = { onProgress: () => undefined, signal: new AbortController().signal }

function formOf({ file, ...message }: OutgoingFile): FormData {
  const body = new FormData()
  body.append('message', JSON.stringify(message))
  body.append('file', file, message.fileName)
  return body
}

export function removeQuickReply() {
  return mutationOptions({
    mutationFn: async (id: string, { client }) => {
      await rpc('remove_quick_reply', { p_id: id })
      await readAgain(client)
    },
  })
}

/** The new order is shown at once, and reverted if saving fails. */
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
