// What stands on a card. Spec 2.9, 9; design/png/phone-02.
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import type { Lead } from '#domain/lead.ts'
import { LeadCard } from '#features/kanban/lead-card.tsx'
import { lastMessage, lead } from '#tests/support/make-app.ts'

const SENT = 1_763_728_860

function markup(part: Partial<Lead>, secondsLater = 0, density: 'roomy' | 'compact' = 'roomy') {
  const props = {
    lead: lead(part),
    density,
    nowMs: (SENT + secondsLater) * 1000,
    position: 3,
    total: 40,
    isTabStop: true,
    onOpen: () => undefined,
    ref: null,
  }
  return renderToStaticMarkup(createElement(LeadCard, props))
}
const message = lastMessage({ body: 'Oi <b>Camila</b>', sentAtSeconds: SENT })

it.each(['roomy', 'compact'] as const)(
  'shows name, initial, message, time, note, broker and unread (%s)',
  (density) => {
    const html = markup(
      { name: 'marina', notes: 'Quer 3 quartos', lastMessage: message, unreadCount: 2 },
      180,
      density,
    )
    for (const text of [
      '>marina<',
      '>M<',
      'Oi &lt;b&gt;Camila',
      '>há 3 min<',
      'Quer 3 quartos',
      '>camila<',
      '2 novas',
    ]) {
      expect(html).toContain(text)
    }
    expect(html).toContain('aria-posinset="3" aria-setsize="40"')
    expect(html).toContain('title="21/11/2025 09:41"')
  },
)

it('is highlighted under five minutes only', () => {
  expect(markup({ lastMessage: message }, 299)).toContain('data-fresh="true"')
  expect(markup({ lastMessage: message }, 300)).not.toContain('data-fresh="true"')
})

it("begins the broker's own words with 'Você:'", () => {
  expect(markup({ lastMessage: { ...message, direction: 'outgoing' } })).toContain('Você: ')
  expect(markup({ lastMessage: message })).not.toContain('Você: ')
})

it('shows the number of a lead without a name', () => {
  expect(markup({ name: null, number: '5511955500142' })).toContain('(11) 95550-0142')
})

it('opens the conversation by a named button, and takes the focus itself', () => {
  const html = markup({})
  expect(html).toContain('aria-label="Abrir conversa"')
  expect(html).toMatch(/<article[^>]* tabindex="0"/i)
})

it('shows her picture where there is one', () => {
  expect(markup({ pictureUrl: 'https://example.com/p.jpg' })).toContain(
    '<img src="https://example.com/p.jpg" alt=""',
  )
})
