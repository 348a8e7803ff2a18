// Quick replies of the composer, and the search among them.

import type { Media, MediaKind } from './message.ts'

/** The file of a quick reply as it was when the broker chose it. The portal has its bytes. */
export type ReplyFile = {
  quickReplyId: string
  /** The portal refuses to send if the quick reply has another file by then. */
  mediaId: string
  kind: Exclude<MediaKind, 'sticker'>
  media: Media
}

export type QuickReply = {
  id: string
  title: string
  /** The text; {nome} stands for the lead's name. */
  body: string
  /** True if the reply belongs to all brokers, and administrators edit it. */
  isShared: boolean
  /** The file, which is sent with the text as its caption; null if there is none. */
  file: ReplyFile | null
}

export const MAX_TITLE_LETTERS = 60
export const MAX_BODY_LETTERS = 4_000

/** Replies whose title or text contains every typed word, without regard to accents and case. */
export function findReplies(replies: readonly QuickReply[], typed: string): readonly QuickReply[] {
  const words = fold(typed).split(/\s+/u).filter(Boolean)
  if (words.length === 0) return replies
  return replies.filter(({ title, body }) => {
    const text = fold(`${title} ${body}`)
    return words.every((word) => text.includes(word))
  })
}

function fold(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
}

/**
 * Returns the search text after a slash at the start: '/vis' finds replies with 'vis'. Returns null if the text is no
 * search.
 */
export function slashQuery(text: string): string | null {
  return /^\/[^\n/]*$/u.test(text) ? text.slice(1) : null
}

/** Moves an item one place up (-1) or down (1); unchanged at the ends. */
export function shifted<T>(list: readonly T[], index: number, by: -1 | 1): readonly T[] {
  const other = index + by
  const [moved, passed] = [list[index], list[other]]
  if (moved === undefined || passed === undefined) return list
  return list.map((each, at) => (at === index ? passed : at === other ? moved : each))
}
