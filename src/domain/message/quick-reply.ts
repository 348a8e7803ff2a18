// A text kept to fill the box of a conversation, and how one is found among many.

export type QuickReply = {
  id: string
  title: string
  /** With {nome} for the first name. */
  body: string
  /** Everyone's, kept by administrators. */
  isShared: boolean
}

export const MAX_TITLE_LETTERS = 60
export const MAX_BODY_LETTERS = 4_000

/** Those whose title or text has every word that was typed; accents and case do not matter. */
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

/** What stands after a slash that begins the box: '/vis' asks for the replies with 'vis'. Null: nothing is asked. */
export function slashQuery(text: string): string | null {
  return /^\/[^\n/]*$/u.test(text) ? text.slice(1) : null
}

/** With one of them a place up (-1) or down (1); as they are where there is no such place. */
export function shifted<T>(list: readonly T[], index: number, by: -1 | 1): readonly T[] {
  const other = index + by
  const [moved, passed] = [list[index], list[other]]
  if (moved === undefined || passed === undefined) return list
  return list.map((each, at) => (at === index ? passed : at === other ? moved : each))
}
