// Stores a broker's page as HTML. The next new tab shows it first.
import { useEffect } from 'react'
import { log } from '#api/log.ts'
import { useBoardCursor } from '#data/board/leads.ts'
import { usePending } from '#data/pending.ts'
import type { BrokerUser } from '#domain/session.ts'
import { readDevice } from '#offline/database.ts'
import { currentOwner } from '#offline/owner.ts'
import { type PageSnapshot, readState, snapshotName, stateOf } from '#offline/page-snapshot.ts'
import { saveAnswer } from '#offline/query-cache.ts'
import { LASTS_MS } from '#offline/snapshot-pages.ts'
import type { BoardKey } from '#offline/stores.ts'
import { useIsIdle } from '#ui/busy.ts'

/** The page is stored once it has not changed for this long. */
const RESTS_MS = 1_000
/** Overlays and passing messages are left out. */
const NOT_KEPT = 'dialog, [popover], [data-passing], [role=status], [role=alert]'
/**
 * Cards below the window are stored without content, because the snapshot's first layout takes a slow phone longest.
 */
const CARD = 'article, [data-row]'
/** Texts such as 'há 2 min' are left out, because they would be wrong by then. */
const WORDS_OF_TIME = 'time, .day-line, .clock, .clock + *'
/** No query finds such an element, but the one that it belongs to. */
const PSEUDO_ELEMENT = /::[\w-]+(\([^)]*\))?/g
/** The search parameter of a conversation, which only lies over the board. Any other parameter changes the page. */
const OVERLAY = 'lead'

/** Stores the page when it has changed and is idle, and when the user leaves it. */
export function useKeptPage({ id: owner, instanceName }: BrokerUser) {
  const isIdle = useIsIdle()
  const cursor = useBoardCursor(instanceName)
  const { entries } = usePending()
  useEffect(() => {
    if (cursor === undefined) return undefined
    const shown = stateOf(cursor, entries)
    const keep = () =>
      void keepPage({ owner, instanceName }, shown).catch((cause: unknown) =>
        log.warn('page.keep-failed', cause),
      )
    const keepWhenLeft = () => document.hidden && keep()
    const timer = isIdle ? setTimeout(keep, RESTS_MS) : undefined
    document.addEventListener('visibilitychange', keepWhenLeft)
    return () => {
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', keepWhenLeft)
    }
  }, [owner, instanceName, isIdle, cursor, entries])
}

/**
 * Stores the page only if the device has stored the data that it shows, because a new tab starts from the stored data.
 */
async function keepPage(key: BoardKey, shown: string) {
  const lastsMs = LASTS_MS.get(location.pathname)
  const held = await readDevice((db) => readState(db, key))
  const html = held === shown && currentOwner() === key.owner ? takePage() : null
  if (html === null || lastsMs === undefined) return
  const now = Date.now()
  const { theme } = document.documentElement.dataset
  const snapshot: PageSnapshot = { html, state: shown, theme, untilMs: now + lastsMs }
  const name = snapshotName(location.pathname)
  await saveAnswer({ owner: key.owner, name, kind: 'page', version: 1, most: LASTS_MS.size }, snapshot, now)
}

/** Returns the page's HTML. Null if a new tab would show something else, for example because a list is scrolled. */
function takePage(): string | null {
  const root = document.getElementById('root')
  const chosen = [...new URLSearchParams(location.search).keys()].filter((name) => name !== OVERLAY)
  if (!root || chosen.length > 0) return null
  if ([...root.querySelectorAll('*')].some(({ scrollTop }) => scrollTop > 0)) return null
  const page = root.cloneNode(true) as HTMLElement
  const below = [...root.querySelectorAll(CARD)].map((card) => card.getBoundingClientRect().top > innerHeight)
  for (const [index, card] of page.querySelectorAll(CARD).entries()) if (below[index]) card.replaceChildren()
  for (const other of page.querySelectorAll(NOT_KEPT)) other.remove()
  for (const words of page.querySelectorAll<HTMLElement>(WORDS_OF_TIME)) words.style.visibility = 'hidden'
  for (const styled of page.querySelectorAll('[style]')) {
    styled.setAttribute('data-style', styled.getAttribute('style') ?? '')
    styled.removeAttribute('style')
  }
  // index.html already loads the first stylesheet.
  const sheets = [...document.querySelectorAll<HTMLLinkElement>('head link[rel=stylesheet]')].slice(1)
  const styling = sheets.filter(({ sheet }) => !sheet || isStyling(sheet.cssRules, root))
  return styling.map(({ outerHTML }) => outerHTML).join('') + page.innerHTML
}

/** False for the sheet of a part that is not on the page, such as a dialog. It would only delay the first sight. */
const isStyling = (rules: CSSRuleList, root: HTMLElement): boolean =>
  [...rules].some(
    (rule) =>
      (rule instanceof CSSStyleRule &&
        root.querySelector(rule.selectorText.replaceAll(PSEUDO_ELEMENT, ':is(*)'))) ||
      (rule instanceof CSSGroupingRule && isStyling(rule.cssRules, root)),
  )
