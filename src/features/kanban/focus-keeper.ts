// The focus follows a card that leaves its stage: to the one that takes its place, once nothing lies over the board. INTERACTIONS 7; DESIGN-SYSTEM 10.
import { type GestureBoard, leadIdOf } from './hand.ts'

type Kept = { leadId: number; slug: string; index: number }

export function createFocusKeeper(root: HTMLElement, board: () => GestureBoard) {
  let kept: Kept | null = null

  const keep = ({ target }: FocusEvent) => {
    if (!(target instanceof Element) || target.closest('dialog')) return
    const article = target.closest<HTMLElement>('article[data-lead]')
    const slug = target.closest<HTMLElement>('[data-page]')?.dataset['page']
    const isCard = article !== null && slug !== undefined && root.contains(target)
    kept = isCard ? { leadId: leadIdOf(article), slug, index: Number(article.dataset['index']) } : null
  }
  /** Who presses beside everything wants it nowhere; a card that is taken out of the page loses it unasked. */
  const drop = ({ target, relatedTarget }: FocusEvent) => {
    if (relatedTarget || !document.hasFocus()) return
    queueMicrotask(() => {
      if (target instanceof Element && target.isConnected) kept = null
    })
  }
  const see = () => {
    if (!kept || document.activeElement !== document.body || document.querySelector('dialog[open]')) return
    const { leadId, slug, index } = kept
    const { newest, columns, shown, lists } = board()
    const column = newest.find(({ stage }) => stage.slug === slug)
    if (!column || column.leads.some(({ id }) => id === leadId) || columns[shown]?.stage.slug !== slug) return
    lists.get(slug)?.focusAt(index)
  }
  document.addEventListener('focusin', keep)
  root.addEventListener('focusout', drop)
  // It does not bubble, but it is heard on its way down.
  document.addEventListener('close', see, true)
  return {
    /** After every drawing of the board. */
    see,
    end: () => {
      document.removeEventListener('focusin', keep)
      root.removeEventListener('focusout', drop)
      document.removeEventListener('close', see, true)
    },
  }
}
