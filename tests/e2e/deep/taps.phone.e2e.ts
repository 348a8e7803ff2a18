// Twenty deeds of a broker's day in taps, from the board, beside WhatsApp Business on Android from its list of chats.
// A hold, a swipe and a choice of the system's own gallery count as one tap; typing counts none, and a field that has
// no focus by itself is tapped first.
import type { Locator, Page } from '@playwright/test'
import { enterAsBroker, expect, test } from '#tests/support/browser/story.ts'
import { pointerOn } from '#tests/support/browser/pointer.ts'

const NAME = 'Luciana Prado'
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
)

type Hand = ReturnType<typeof handOn>
/** `whatsapp`: null where WhatsApp Business cannot do it. */
type Deed = { name: string; whatsapp: number | null; ours: number; act: (hand: Hand) => Promise<void> }

function handOn(page: Page) {
  let taps = 0
  const card = page.getByRole('article', { name: new RegExp(`^${NAME}`) })
  const conversation = page.getByRole('dialog', { name: new RegExp(NAME) })
  const lines = conversation.getByRole('log', { name: 'Mensagens' })
  const tap = async (target: Locator) => {
    await target.tap()
    taps++
  }
  return {
    page,
    card,
    conversation,
    tap,
    taps: () => taps,
    item: (name: string) => page.getByRole('menuitem', { name, exact: true }),
    button: (name: string | RegExp) => page.getByRole('button', { name, exact: true }),
    box: conversation.getByRole('textbox', { name: /Mensagem|Legenda/ }),
    send: conversation.getByRole('button', { name: 'Enviar', exact: true }),
    theirs: lines.locator('.group', { hasText: 'Obrigada! Vou conversar' }).first(),
    own: lines.locator('.group', { hasText: 'Um texto meu' }).last(),
    open: async () => {
      await tap(card.getByText('Obrigada! Vou conversar').or(card.locator('.lead-words')).first())
      await expect(lines).toBeVisible()
    },
    menu: async (name: string) => {
      await tap(conversation.getByRole('button', { name: /^Opções de/ }))
      await tap(page.getByRole('menuitem', { name, exact: true }))
    },
    /** Sends a message before the counted taps begin. */
    say: async (text: string) => {
      await conversation.getByRole('textbox', { name: 'Mensagem' }).fill(text)
      await conversation.getByRole('button', { name: 'Enviar', exact: true }).click()
      await expect(
        lines
          .locator('.group', { hasText: text })
          .last()
          .getByText(/^(?:entregue|lida)$/),
      ).toBeAttached()
    },
    /** The system's long press. */
    hold: async (target: Locator) => {
      await target.dispatchEvent('contextmenu', { clientX: 150, clientY: 400 })
      taps++
    },
    swipe: async (target: Locator, byX: number) => {
      const pointer = await pointerOn(page)
      const box = await target.boundingBox()
      if (!box) throw new Error('nothing to swipe')
      await pointer.down(box.x + 40, box.y + box.height / 2)
      await pointer.by(byX, 0)
      await pointer.up()
      taps++
    },
    /** Counts a press in the system's own window. */
    beside: () => taps++,
  }
}

const DEEDS: readonly Deed[] = [
  { name: 'abrir a conversa', whatsapp: 1, ours: 1, act: (hand) => hand.open() },
  // Before the others: after a text of the broker's own, the next step is offered in place of the ready replies.
  {
    name: 'mandar uma resposta pronta',
    whatsapp: 4,
    ours: 3,
    act: async ({ open, tap, conversation, send }) => {
      await open()
      await tap(conversation.getByRole('button', { name: 'Enviar tabela' }))
      await tap(send)
    },
  },
  {
    name: 'responder',
    whatsapp: 3,
    ours: 3,
    act: async ({ open, tap, box, send }) => {
      await open()
      await tap(box)
      await box.fill('Bom dia, Luciana')
      await tap(send)
    },
  },
  {
    name: 'citar na resposta',
    whatsapp: 3,
    ours: 3,
    act: async ({ open, swipe, theirs, box, send, tap, conversation }) => {
      await open()
      await swipe(theirs, 90)
      await expect(conversation.getByRole('button', { name: 'Não responder a esta mensagem' })).toBeVisible()
      await expect(box).toBeFocused()
      await box.fill('Combinado')
      await tap(send)
    },
  },
  {
    name: 'ligar',
    whatsapp: 2,
    ours: 2,
    act: async ({ open, tap, conversation }) => {
      await open()
      await tap(conversation.getByRole('link', { name: /^Ligar/ }))
    },
  },
  {
    name: 'mandar uma foto',
    whatsapp: 5,
    ours: 5,
    act: async ({ open, tap, item, page, beside, send, conversation }) => {
      await open()
      await tap(conversation.getByRole('button', { name: 'Anexar arquivo' }))
      const chooser = page.waitForEvent('filechooser')
      await tap(item('Foto'))
      await (await chooser).setFiles({ name: 'planta.png', mimeType: 'image/png', buffer: PNG })
      beside()
      await tap(send)
    },
  },
  {
    name: 'mandar um contato',
    whatsapp: 6,
    ours: 5,
    act: async ({ open, tap, item, page, conversation, beside }) => {
      await open()
      await tap(conversation.getByRole('button', { name: 'Anexar arquivo' }))
      await tap(item('Contato'))
      const sheet = page.getByRole('dialog', { name: 'Enviar contato' })
      await expect(sheet.getByRole('textbox', { name: 'Nome' })).toBeFocused()
      await sheet.getByRole('textbox', { name: 'Nome' }).fill('Plantão do Ipê')
      await sheet.getByRole('textbox', { name: 'Telefone' }).fill('11 95550-1234')
      // From one field to the next.
      beside()
      await tap(sheet.getByRole('button', { name: /^Enviar/ }))
    },
  },
  {
    name: 'reagir',
    whatsapp: 3,
    ours: 3,
    act: async ({ open, hold, theirs, tap, page }) => {
      await open()
      await hold(theirs)
      await tap(page.getByRole('menuitemradio', { name: /^Reagir com/ }).first())
    },
  },
  {
    name: 'encaminhar',
    whatsapp: 5,
    ours: 5,
    act: async ({ open, hold, theirs, tap, item, page, button }) => {
      await open()
      await hold(theirs)
      await tap(item('Encaminhar'))
      await tap(page.getByRole('dialog', { name: 'Encaminhar para' }).getByRole('button', { name: /Marina/ }))
      await tap(button('Encaminhar'))
    },
  },
  {
    name: 'editar um texto meu',
    whatsapp: 5,
    ours: 4,
    act: async ({ open, say, hold, own, tap, item, page }) => {
      await open()
      await say('Um texto meu')
      await hold(own)
      await tap(item('Editar'))
      const sheet = page.getByRole('dialog', { name: 'Editar mensagem' })
      await expect(sheet.getByRole('textbox')).toBeFocused()
      await sheet.getByRole('textbox').fill('Um texto meu, melhor')
      await tap(sheet.getByRole('button', { name: 'Salvar' }))
    },
  },
  {
    name: 'apagar para todos',
    whatsapp: 4,
    ours: 4,
    act: async ({ open, say, hold, own, tap, item, button }) => {
      await open()
      await say('Um texto meu')
      await hold(own)
      await tap(item('Apagar para todos'))
      await tap(button('Apagar'))
    },
  },
  {
    name: 'silenciar',
    whatsapp: 4,
    ours: 3,
    act: async ({ open, menu, page }) => {
      await open()
      await menu('Silenciar')
      await expect(page.getByText('Sem avisos do que este contato escreve.')).toBeVisible()
    },
  },
  {
    name: 'marcar como não lida',
    whatsapp: 3,
    ours: 2,
    act: async ({ tap, button, page }) => {
      // A lead whose last message is read, also after the other steps of this table.
      const read = page.getByRole('article', { name: /^Wesley Nogueira/ })
      await tap(read.getByRole('button', { name: /^Mover/ }))
      await tap(button('Marcar como não lida'))
      await expect(read).toHaveAttribute('aria-label', /Marcada como não lida/)
    },
  },
  {
    name: 'pôr a etiqueta, ou mudar de estágio',
    whatsapp: 4,
    ours: 2,
    act: async ({ tap, card, page }) => {
      await tap(card.getByRole('button', { name: /^Mover/ }))
      await tap(page.getByRole('menuitemradio', { name: /^Novos Contatos/ }))
    },
  },
  {
    name: 'anotar',
    whatsapp: 4,
    ours: 3,
    act: async ({ tap, card, page }) => {
      await tap(card.getByRole('button', { name: 'Notas' }))
      const sheet = page.getByRole('dialog', { name: 'Notas do Lead' })
      await tap(sheet.getByRole('textbox'))
      await sheet.getByRole('textbox').fill('Prefere de manhã')
      await tap(sheet.getByRole('button', { name: 'Salvar' }))
    },
  },
  {
    name: 'marcar o próximo passo',
    whatsapp: null,
    ours: 3,
    act: async ({ tap, card, page }) => {
      await tap(card.locator('.day-line'))
      const sheet = page.getByRole('dialog', { name: 'Próximo passo' })
      await tap(sheet.getByText('Amanhã 9h', { exact: true }))
      await tap(sheet.getByRole('button', { name: /amanhã 9h$/ }))
      await expect(card).toContainText('amanhã 9h')
    },
  },
  {
    name: 'agendar uma mensagem',
    whatsapp: null,
    ours: 5,
    act: async ({ open, menu, tap, page }) => {
      await open()
      await menu('Enviar depois')
      const sheet = page.getByRole('dialog', { name: 'Enviar depois' })
      await tap(sheet.getByRole('textbox', { name: 'Mensagem' }))
      await sheet.getByRole('textbox', { name: 'Mensagem' }).fill('Bom dia, conseguiu ver a tabela?')
      await tap(sheet.getByRole('button', { name: /^Agendar para/ }))
    },
  },
  {
    // There: the clip, 'Evento', the day, the hour and 'Enviar', after the chat.
    name: 'agendar uma visita',
    whatsapp: 6,
    ours: 4,
    act: async ({ open, tap, menu, page }) => {
      await open()
      await menu('Agendar visita')
      await tap(
        page.getByRole('dialog', { name: 'Agendar visita' }).getByRole('button', { name: /^Agendar para/ }),
      )
      await expect(page.getByText(/visita marcada/)).toBeVisible()
    },
  },
  {
    name: 'ver só as não lidas',
    whatsapp: 1,
    ours: 1,
    act: ({ tap, button }) => tap(button(/^Não lidas/)),
  },
  {
    name: 'achar um lead pelo nome',
    whatsapp: 2,
    ours: 2,
    act: async ({ tap, button, page }) => {
      await tap(button('Buscar contato'))
      await expect(page.locator('input:focus')).toBeVisible()
      await page.keyboard.insertText('Marina')
      await tap(page.getByLabel('Resultados da busca').getByText('Marina Tavares').first())
    },
  },
]

// A missing button fails the row, and not the time of the whole story.
test.use({ actionTimeout: 20_000 })

test.beforeEach(async ({ page }) => {
  // The system would open its telephone.
  await page.addInitScript(() =>
    addEventListener(
      'click',
      (event) => {
        if (event.target instanceof Element && event.target.closest('a[href^="tel:"]')) event.preventDefault()
      },
      true,
    ),
  )
  await enterAsBroker(page)
  await expect(page.locator('.day-line').first()).toBeVisible()
})

for (const { name, ours, act } of DEEDS)
  test(`${name}: ${ours}`, async ({ page }) => {
    const hand = handOn(page)
    await act(hand)
    expect(hand.taps()).toBe(ours)
  })

test('em nenhuma linha são mais toques do que no WhatsApp Business', () => {
  expect(DEEDS).toHaveLength(20)
  const more = DEEDS.filter(({ ours, whatsapp }) => whatsapp !== null && ours > whatsapp)
  expect(more.map(({ name }) => name)).toEqual([])
})
