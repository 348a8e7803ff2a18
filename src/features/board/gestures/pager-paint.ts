// Applies `p` to the page: transforms, opacities and the tabs' scroll position, from sizes measured beforehand.
import { DURATION } from '#ui/motion/motion.ts'
import { pillAt, railScrollAt, type Tab, titleAt } from './pager-rules.ts'

/** Each round end of the pill has this width in px. A stretched middle part overlaps both ends slightly. */
const PILL_END = 16
const PILL_OVERLAP = 1

type Sizes = { width: number; view: number; content: number; tabs: readonly Tab[] }

export function createPagerPaint(root: HTMLElement) {
  let strip: HTMLElement | null = null
  let titles: { index: number; element: HTMLElement }[] = []
  let rail: HTMLElement | null = null
  let tabElements: HTMLElement[] = []
  let pills: HTMLElement[] = []
  let sizes: Sizes = { width: 1, view: 1, content: 1, tabs: [] }
  let hues: readonly string[] = []
  let painted = 0
  let scrolled = NaN

  const measure = () => {
    sizes = {
      width: root.clientWidth,
      view: rail?.clientWidth ?? 0,
      content: rail?.scrollWidth ?? 0,
      tabs: tabElements.map(({ offsetLeft, offsetWidth }) => ({ left: offsetLeft, width: offsetWidth })),
    }
    paint(painted)
  }
  const observer = new ResizeObserver(measure)

  const collect = () => {
    strip = root.querySelector('[data-strip]')
    titles = [...root.querySelectorAll<HTMLElement>('[data-title]')].map((element) => ({
      element,
      index: Number(element.dataset['title']),
    }))
    pills = [...root.querySelectorAll<HTMLElement>('[data-pill]')]
    const tabs = [...root.querySelectorAll<HTMLElement>('[role="tab"]')]
    if (tabs.length === tabElements.length && tabs.every((tab, at) => tab === tabElements[at])) return
    rail = root.querySelector('[role="tablist"]')
    tabElements = tabs
    hues = tabs.map((tab) => tab.dataset['hue'] ?? '')
    observer.disconnect()
    for (const element of [root, rail, ...tabs]) if (element) observer.observe(element)
    measure()
  }
  const paint = (p: number) => {
    painted = p
    if (strip) strip.style.transform = `translateX(${-p * 100}%)`
    for (const { index, element } of titles) {
      const { opacity, x } = titleAt(index - p)
      element.style.opacity = String(opacity)
      element.style.transform = `translateX(${x}px)`
    }
    paintPills(pills, p, { tabs: sizes.tabs, hues })
    const before = scrolled
    scrolled = railScrollAt(p, sizes.tabs, sizes)
    if (!rail) return
    // Leaves a tab bar that the user scrolled where it is, unless the pages move.
    if (scrolled !== before) rail.scrollLeft = scrolled
    // The tab bar fades out only at an end with more tabs beyond it.
    mark(rail, 'data-begun', scrolled > 1)
    mark(rail, 'data-end', scrolled >= sizes.content - sizes.view - 1)
  }
  return {
    collect,
    paint,
    /** With reduced motion, the pages fade in instead of moving. */
    fade: () => strip?.animate([{ opacity: 0 }, { opacity: 1 }], DURATION.fade),
    width: () => sizes.width,
    meanTab: () => sizes.tabs.reduce((sum, { width }) => sum + width, 0) / Math.max(1, sizes.tabs.length),
    /** The tabs' positions on screen, measured from the tab bar's left. */
    tabs: () => {
      const scrolledTo = rail?.scrollLeft ?? 0
      return sizes.tabs.map(({ left, width }) => ({ left: left - scrolledTo, width }))
    },
    end: () => observer.disconnect(),
  }
}

function mark(element: Element, name: string, isSo: boolean) {
  if (isSo !== element.hasAttribute(name)) element.toggleAttribute(name, isSo)
}

type Stages = { tabs: readonly Tab[]; hues: readonly string[] }

/**
 * Paints two pills on each other. The lower has the old stage's hue, the upper the new one's, with an opacity that
 * grows as the page turns.
 */
function paintPills(pills: readonly HTMLElement[], p: number, { tabs, hues }: Stages) {
  const { left, width, index, share } = pillAt(p, tabs)
  pills.forEach((pill, at) => {
    const hue = hues[index + at]
    if (hue !== undefined && pill.dataset['hue'] !== hue) pill.dataset['hue'] = hue
    pill.style.opacity = String(at === 0 ? 1 : share)
    const [start, middle, end] = [...pill.children]
    place(start, left, 1)
    place(middle, left + PILL_END - PILL_OVERLAP, width - 2 * (PILL_END - PILL_OVERLAP))
    place(end, left + width - PILL_END, 1)
  })
}

function place(element: Element | undefined, left: number, scale: number) {
  if (element instanceof HTMLElement) element.style.transform = `translateX(${left}px) scaleX(${scale})`
}
