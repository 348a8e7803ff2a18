// The content of a card.
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it, vi } from 'vitest'
import type { Lead } from '#domain/lead/lead.ts'
import { DELIVERY_LABEL } from '#domain/message/message.ts'
import { BrokerLine } from '#features/board/card/broker-line.tsx'
import { CardAuthor } from '#features/board/card/card-author.ts'
import { LeadCard } from '#features/board/card/lead-card.tsx'
import { DayLine } from '#features/board/day/day-line.tsx'
import { lastMessage, lead } from '#tests/support/make-app.ts'

const SENT = 1_763_728_860
/** The card's clock, fixed for the test. */
vi.mock('#ui/now.ts', () => ({ useNow: () => (SENT + 180) * 1000 }))

function propsOf(part: Partial<Lead>, secondsLater = 0, density: 'roomy' | 'compact' = 'roomy') {
  return {
    lead: lead(part),
    density,
    nowMs: (SENT + secondsLater) * 1000,
    position: 3,
    total: 40,
    isTabStop: true,
    onOpen: () => undefined,
    onNotes: () => undefined,
    onMoveSheet: () => undefined,
    onPending: () => undefined,
    Line: density === 'roomy' ? DayLine : BrokerLine,
    ref: null,
  }
}
function markup(...args: Parameters<typeof propsOf>) {
  return renderToStaticMarkup(createElement(LeadCard, propsOf(...args)))
}
const message = lastMessage({ body: 'Oi <b>Camila</b>', sentAtSeconds: SENT })

it('a text that was begun stands in the place of the last message', () => {
  const begun = markup({ lastMessage: message, draft: 'Segue a tabela' })
  expect(begun).toContain('Rascunho: </span>Segue a tabela')
  expect(begun).toContain('. Rascunho: Segue a tabela')
  expect(markup({ lastMessage: null, draft: 'Oi' })).toContain('Rascunho: </span>Oi')
  expect(markup({ lastMessage: message })).not.toContain('Rascunho')
})

it("shows a form's text once, and any other note beside it", () => {
  const said = lastMessage({ body: 'Quero saber o valor' })
  const once = markup({ lastMessage: said, notes: 'Mensagem do formulário: Quero saber o valor' })
  expect(once).not.toContain('Mensagem do formulário')
  expect(once).toContain('Quero saber o valor')
  const more = 'Mensagem do formulário: Quero saber o valor\nLigar à noite'
  expect(markup({ lastMessage: said, notes: more })).toContain('Ligar à noite')
})

it('distinguishes an assistant’s messages from the broker’s', () => {
  const said = lastMessage({ body: 'Temos, com vaga.', direction: 'outgoing', delivery: 'read' })
  expect(markup({ lastMessage: said })).toContain('>Você: <')
  const html = markup({ lastMessage: { ...said, byAssistant: true } })
  expect(html).toContain('>Assistente: <')
  expect(html).toMatch(/aria-label="[^"]*: Assistente: Temos, com vaga\./)
  expect(html).not.toContain('Você')
})

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
      ...(density === 'compact' ? ['>Camila<'] : []),
      '2 novas',
      '>2</span>',
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

it('has a ring but no highlight after our own recent message', () => {
  const own = { ...message, direction: 'outgoing' as const }
  expect(markup({ lastMessage: own }, 299)).toContain('data-own="true"')
  expect(markup({ lastMessage: own }, 299)).not.toContain('data-fresh="')
  expect(markup({ lastMessage: own }, 300)).not.toContain('data-own="')
  expect(markup({ lastMessage: message }, 299)).not.toContain('data-own="')
})

it("starts the broker's own message with 'Você:'", () => {
  expect(markup({ lastMessage: { ...message, direction: 'outgoing' } })).toContain('Você: ')
  expect(markup({ lastMessage: message })).not.toContain('Você: ')
})

it("starts it with the broker's name for an administrator, also for screen readers", () => {
  const words = { ...message, direction: 'outgoing' as const, delivery: 'sent' as const }
  const card = createElement(LeadCard, propsOf({ lastMessage: words }))
  const html = renderToStaticMarkup(createElement(CardAuthor, { value: () => 'Camila' }, card))
  expect(html).not.toContain('Você')
  expect(html).toContain('>Camila: </span>')
  expect(html).toContain(', enviada: Camila: Oi')
})

it('shows the number of a lead without a name', () => {
  expect(markup({ name: null, number: '5511955500142' })).toContain('(11) 95550-0142')
})

it('opens the conversation by its name, and is focusable', () => {
  const html = markup({ name: 'Marina' })
  expect(html).toMatch(
    /<h2[^>]*><button[^>]*aria-label="Abrir conversa com Marina"[^>]*>Marina<\/button><\/h2>/,
  )
  expect(html).toMatch(/<article[^>]* tabindex="0"/i)
})

it("shows the lead's picture if there is one", () => {
  expect(markup({ pictureUrl: 'https://example.com/p.jpg' })).toContain(
    '<img src="https://example.com/p.jpg" alt=""',
  )
})

it.each([['sent'], ['delivered'], ['read'], ['failed']] as const)('marks a reply that is %s', (delivery) => {
  const html = markup({ lastMessage: { ...message, direction: 'outgoing', delivery } })
  expect(html).toContain(`data-glyph="${delivery}"`)
  expect(html).toContain(`, ${DELIVERY_LABEL[delivery]}: Você: `)
})

it('shows when a campaign message was sent', () => {
  const html = markup({ remarketingSentAtMs: (SENT - 2 * 86_400) * 1000 })
  expect(html).toContain('>Remarketing · há 2 dias<')
  expect(html).toContain('title="19/11/2025 09:41"')
  expect(markup({})).not.toContain('Remarketing')
})

it.each([
  ['queue', 'Na fila', ''],
  ['conflict', 'Mudou em outro aparelho', 'Resolver'],
  ['refused', 'Não foi enviada', 'Tentar de novo'],
  ['unbooked', 'A visita não foi marcada', 'Tentar de novo'],
  ['unsaved', 'Não foi salvo', 'Tentar de novo'],
] as const)('says what of her is not on the server: %s', (waiting, words, action) => {
  const html = markup({ waiting })
  expect(html).toContain(`>${words}<`)
  expect(html).toContain(`. ${words}"`)
  if (action) expect(html).toContain(`>${action}</button>`)
})

it('has notes, move and conversation one tap away, outside the tab order', () => {
  const html = markup({})
  for (const label of ['Notas', 'Mover para outro estágio', 'Abrir conversa com Pessoa'])
    expect(html).toMatch(new RegExp(`<button[^>]*tabindex="-1"[^>]*aria-label="${label}`, 'i'))
})

it('shows an opt-out, also for screen readers', () => {
  expect(markup({ isOptedOut: true }).match(/Não quer campanhas/g)).toHaveLength(2)
  expect(markup({})).not.toContain('Não quer campanhas')
})
