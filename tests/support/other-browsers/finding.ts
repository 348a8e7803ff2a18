// Runs in the page: finds elements by role and name. Each function is sent alone, so it contains everything it needs.

export type Role = 'article' | 'button' | 'dialog' | 'heading' | 'log' | 'menuitemradio' | 'tab' | 'textbox'

/** One step of a path to an element: its role, and its exact name or a pattern in it. */
export type Step = { role: Role; name: string; isPattern: boolean }
export type Found = { node: Element; text: string }

/** The visible elements at the end of the path, in the order of the page, with their text. */
export function findThings(steps: readonly Step[]): Found[] {
  const TAGS: Partial<Record<Role, string>> = {
    article: 'article',
    button: 'button',
    dialog: 'dialog[open]',
    heading: 'h1, h2, h3, h4',
    textbox: 'textarea, input:not([type]), input[type=text], input[type=password], input[type=search]',
  }
  const plain = (text: string | null | undefined) => (text ?? '').replaceAll(/\s+/g, ' ').trim()
  const nameOf = (node: Element): string => {
    const ids = node.getAttribute('aria-labelledby')?.split(' ') ?? []
    if (ids.length > 0) return ids.map((id) => plain(document.getElementById(id)?.textContent)).join(' ')
    const [label] = 'labels' in node ? ((node.labels as NodeListOf<Element> | null) ?? []) : []
    return plain(node.getAttribute('aria-label') ?? (label ?? node).textContent)
  }
  const isShown = (node: Element) =>
    node.checkVisibility({ visibilityProperty: true }) && !node.closest('[inert], [aria-hidden="true"]')
  const within = (place: ParentNode, { role, name, isPattern }: Step) => {
    const selector = [`[role="${role}"]`, TAGS[role]].filter(Boolean).join(', ')
    const isNamed = (node: Element) =>
      isPattern ? new RegExp(name).test(nameOf(node)) : nameOf(node) === name
    return [...place.querySelectorAll(selector)].filter((node) => isShown(node) && isNamed(node))
  }
  let found: ParentNode[] = [document]
  for (const step of steps) found = [...new Set(found.flatMap((place) => within(place, step)))]
  return (found as HTMLElement[]).map((node) => ({
    node,
    text: 'value' in node && node.tagName !== 'BUTTON' ? String(node.value) : node.innerText,
  }))
}

/** Selects the field's text, so that typing replaces it. */
export function selectAll(field: Element) {
  if (!('select' in field)) throw new Error('nothing can be typed there')
  ;(field as HTMLInputElement).select()
}

/** Waits until it has not moved for some frames; returns its place. */
export async function placeAtRest(node: Element) {
  const REST_FRAMES = 3
  const place = () => {
    const { x, y, width, height } = node.getBoundingClientRect()
    return { x, y, width, height }
  }
  let last = place()
  for (let still = 0; still < REST_FRAMES;) {
    await new Promise(requestAnimationFrame)
    const next = place()
    still = next.x === last.x && next.y === last.y ? still + 1 : 0
    last = next
  }
  return last
}
