// Messages of business accounts as text for a broker: the text, then the choices, one per line.
import { expect, it } from 'vitest'
import { readContent } from '#server/whatsapp/gateway/message/content.ts'

const reply = (displayText: string) => ({ quickReplyButton: { displayText, id: 'x' } })
const flow = (params: object) => ({ name: 'x', buttonParamsJson: JSON.stringify(params) })
const business = { isBusiness: true }

it.each<[string, Record<string, unknown>, string, unknown]>([
  [
    'template that was filled in',
    {
      templateMessage: {
        hydratedTemplate: {
          hydratedTitleText: 'Construtora Sol',
          hydratedContentText: 'Sua proposta chegou.',
          hydratedFooterText: 'Equipe Sol',
          hydratedButtons: [
            reply('Quero ver'),
            { urlButton: { displayText: 'Abrir', url: 'https://sol.example' } },
            { callButton: { displayText: 'Ligar', phoneNumber: '+551130000000' } },
            { index: 4 },
          ],
        },
      },
    },
    'Construtora Sol\nSua proposta chegou.\nEquipe Sol\n• Quero ver\n• Abrir\n• Ligar',
    business,
  ],
  [
    'template in its other field',
    { templateMessage: { hydratedFourRowTemplate: { hydratedContentText: 'Olá' } } },
    'Olá',
    business,
  ],
  [
    'template that is interactive',
    { templateMessage: { interactiveMessageTemplate: { body: { text: 'Escolha' } } } },
    'Escolha',
    business,
  ],
  [
    'template that nobody filled in',
    {
      templateMessage: {
        fourRowTemplate: {
          content: { params: ['Ana', 'sábado'] },
          buttons: [{ quickReplyButton: { displayText: { params: ['Sim'] } } }],
        },
      },
    },
    'Ana\nsábado\n• Sim',
    business,
  ],
  [
    'structured message with its words',
    {
      highlyStructuredMessage: {
        hydratedHsm: { hydratedTemplate: { hydratedContentText: 'Lembrete da visita' } },
      },
    },
    'Lembrete da visita',
    business,
  ],
  [
    'structured message without its words',
    { highlyStructuredMessage: { localizableParams: [{ default: '21/11' }] } },
    '21/11',
    business,
  ],
  [
    'interactive message with header, body, footer and buttons',
    {
      interactiveMessage: {
        header: { title: 'Mirante', subtitle: 'do Lago' },
        body: { text: 'Qual planta?' },
        footer: { text: 'Responda quando puder' },
        nativeFlowMessage: {
          buttons: [
            flow({ display_text: '2 quartos', id: '2' }),
            flow({
              title: 'Horários',
              sections: [
                { title: 'Sábado', rows: [{ title: '9h', description: 'decorado' }, { title: '10h' }] },
              ],
            }),
            flow({ display_text: 'Copiar código', copy_code: 'SOL10' }),
            { name: 'x', buttonParamsJson: '{broken' },
          ],
        },
      },
    },
    'Mirante\ndo Lago\nQual planta?\nResponda quando puder\n• 2 quartos\n• Horários\nSábado\n• 9h: decorado\n• 10h\n• Copiar código\nSOL10',
    business,
  ],
  [
    'PIX key',
    {
      interactiveMessage: {
        nativeFlowMessage: {
          buttons: [
            flow({
              currency: 'BRL',
              total_amount: { value: 150_000, offset: 100 },
              payment_settings: [
                {
                  type: 'pix_static_code',
                  pix_static_code: { merchant_name: 'Ana', key: 'ana@sol.example' },
                },
              ],
            }),
          ],
        },
      },
    },
    'PIX: ana@sol.example (Ana)\nTotal: R$ 1.500,00',
    business,
  ],
  [
    'carousel',
    {
      interactiveMessage: {
        body: { text: 'Veja' },
        carouselMessage: {
          cards: [
            {
              header: { title: 'Torre A' },
              nativeFlowMessage: { buttons: [flow({ display_text: 'Quero' })] },
            },
            { body: { text: 'Torre B' } },
          ],
        },
      },
    },
    'Veja\nTorre A\n• Quero\nTorre B',
    business,
  ],
  [
    'buttons',
    {
      buttonsMessage: {
        contentText: 'Confirma a visita?',
        footerText: 'Sol',
        buttons: [{ buttonText: { displayText: 'Sim' } }, { buttonText: { displayText: 'Não' } }],
      },
    },
    'Confirma a visita?\nSol\n• Sim\n• Não',
    business,
  ],
  [
    'list',
    {
      listMessage: {
        title: 'Horários',
        description: 'Escolha um',
        buttonText: 'Ver',
        sections: [{ title: 'Manhã', rows: [{ title: '9h' }] }],
      },
    },
    'Horários\nEscolha um\nManhã\n• 9h',
    business,
  ],
  [
    'list of products',
    {
      listMessage: { description: 'Plantas', productListInfo: { productSections: [{ title: '2 quartos' }] } },
    },
    'Plantas\n2 quartos',
    business,
  ],
  [
    'product',
    {
      productMessage: {
        body: 'Ainda disponível',
        product: {
          title: 'Apê 52 m²',
          priceAmount1000: '412000000',
          currencyCode: 'BRL',
          url: 'https://sol.example',
        },
      },
    },
    'Apê 52 m²\nR$ 412.000,00\nAinda disponível\nhttps://sol.example',
    business,
  ],
  ['catalogue', { productMessage: { catalog: { title: 'Imóveis' } } }, 'Imóveis', business],
  [
    'order',
    {
      orderMessage: {
        orderTitle: 'Reserva',
        itemCount: 2,
        totalAmount1000: { low: 5_000_000, high: 0, unsigned: true },
        totalCurrencyCode: 'USD',
        message: 'Pode confirmar?',
      },
    },
    'Pedido: Reserva\n2 itens\nTotal: US$ 5.000,00\nPode confirmar?',
    business,
  ],
  ['invoice', { invoiceMessage: { note: 'Parcela 3' } }, 'Fatura\nParcela 3', business],
  [
    'request for payment',
    {
      requestPaymentMessage: {
        amount1000: 99_900,
        currencyCodeIso4217: 'BRL',
        noteMessage: { extendedTextMessage: { text: 'Sinal' } },
      },
    },
    'Pedido de pagamento: R$ 99,90\nSinal',
    null,
  ],
  [
    'payment',
    { sendPaymentMessage: { noteMessage: { conversation: 'Sinal' } } },
    'Pagamento enviado\nSinal',
    null,
  ],
  ['invitation to pay', { paymentInviteMessage: {} }, 'Convite para receber pagamentos pelo WhatsApp', null],
  ['declined payment', { declinePaymentRequestMessage: {} }, 'Recusou o pedido de pagamento', null],
  ['cancelled payment', { cancelPaymentRequestMessage: {} }, 'Cancelou o pedido de pagamento', null],
  [
    'answer of Meta AI',
    { richResponseMessage: { submessages: [{ messageText: 'Olá' }, { messageType: 2 }] } },
    'Olá',
    null,
  ],
  [
    'event',
    {
      eventMessage: {
        name: 'Visita',
        startTime: '1795251267',
        location: { name: 'Decorado' },
        description: 'Levar documento',
      },
    },
    'Evento: Visita\n21/11/2026 05:54\nDecorado\nLevar documento',
    null,
  ],
  [
    'event called off',
    { eventMessage: { isCanceled: true, name: 'Visita' } },
    'Evento cancelado: Visita',
    null,
  ],
  [
    'call that is planned',
    { scheduledCallCreationMessage: { title: 'Proposta', scheduledTimestampMs: '1795251267000' } },
    'Chamada marcada: Proposta\n21/11/2026 05:54',
    null,
  ],
  [
    'invitation to a group',
    { groupInviteMessage: { groupName: 'Moradores', caption: 'Entre aqui' } },
    'Convite para o grupo: Moradores\nEntre aqui',
    null,
  ],
  [
    'invitation to a channel',
    { newsletterFollowerInviteMessageV2: { newsletterName: 'Sol' } },
    'Convite para o canal: Sol',
    null,
  ],
  ['pack of stickers', { stickerPackMessage: { name: 'Gatos' } }, 'Pacote de figurinhas: Gatos', null],
  [
    'template in a wrapper',
    { viewOnceMessage: { message: { interactiveMessage: { body: { text: 'Oi' } } } } },
    'Oi',
    business,
  ],
])('%s', (_, message, body, content) => {
  expect(readContent(message)).toEqual({ kind: 'text', body, content })
})

it.each<[string, Record<string, unknown>]>([
  ['no words', { templateMessage: { hydratedTemplate: { imageMessage: {} } } }],
  ['words of a wrong kind', { buttonsMessage: { contentText: 7, buttons: 'x' } }],
  ['a sum of a broken currency', { requestPaymentMessage: null }],
])('%s is shown as content that only WhatsApp opens', (_, message) => {
  expect(readContent(message)).toMatchObject({ kind: 'unsupported', body: '' })
})

it('reads a limited number of choices, and no nested cards', () => {
  const rows = Array.from({ length: 500 }, (_, n) => ({ title: `Linha ${n}` }))
  expect(readContent({ listMessage: { sections: [{ rows }] } }).body.split('\n')).toHaveLength(30)
  let card: object = { body: { text: 'fundo' } }
  for (let depth = 0; depth < 5_000; depth++) card = { carouselMessage: { cards: [card] } }
  expect(readContent({ interactiveMessage: card }).kind).toBe('unsupported')
  let template: object = { hydratedTemplate: { hydratedContentText: 'fundo' } }
  for (let depth = 0; depth < 5_000; depth++)
    template = { fourRowTemplate: { content: { hydratedHsm: template } } }
  expect(readContent({ templateMessage: template }).kind).toBe('unsupported')
})
