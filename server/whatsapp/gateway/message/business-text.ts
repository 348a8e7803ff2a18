// Turns the structured messages of a business account into one text: its words, then the options, one a line.
import { formatDateTime } from '#domain/format.ts'
import { child, epochSeconds, fieldsOf, isTrue, number, text, type Fields } from './field.ts'

type Reader = (fields: Fields) => (string | null)[]

const MAX_LINE = 4_000
const MAX_CHOICES = 30
const MAX_CARDS = 10

/** The text of a business message; null without readable words. */
export function readBusinessText(message: Fields): string | null {
  for (const [name, read] of Object.entries(READERS)) {
    const fields = fieldsOf(message[name])
    const written = fields && joined(read(fields))
    if (written) return written
  }
  return null
}

function joined(lines: (string | null)[]): string | null {
  const said = lines.filter((line) => line !== null && line.trim() !== '')
  // Some businesses repeat the title in the body.
  return said.filter((line, at) => said.indexOf(line) === at).join('\n') || null
}

const READERS: Readonly<Record<string, Reader>> = {
  templateMessage: readTemplate,
  highlyStructuredMessage: readStructured,
  interactiveMessage: readInteractive,
  buttonsMessage: (fields) => [
    line(fields['text']),
    line(fields['contentText']),
    line(fields['footerText']),
    ...choices(listOf(fields['buttons']).map((button) => child(button, 'buttonText')['displayText'])),
  ],
  listMessage: (fields) => [
    line(fields['title']),
    line(fields['description']),
    line(fields['footerText']),
    ...sections(listOf(fields['sections'])),
    ...productSections(child(fields, 'productListInfo')),
  ],
  productMessage: readProduct,
  orderMessage: readOrder,
  invoiceMessage: (fields) => ['Fatura', line(fields['note'])],
  requestPaymentMessage: (fields) => [
    titled('Pedido de pagamento', moneyOf(fields)),
    readNote(child(fields, 'noteMessage')),
  ],
  sendPaymentMessage: (fields) => ['Pagamento enviado', readNote(child(fields, 'noteMessage'))],
  paymentInviteMessage: () => ['Convite para receber pagamentos pelo WhatsApp'],
  declinePaymentRequestMessage: () => ['Recusou o pedido de pagamento'],
  cancelPaymentRequestMessage: () => ['Cancelou o pedido de pagamento'],
  richResponseMessage: (fields) =>
    listOf(fields['submessages']).map((submessage) => line(submessage['messageText'])),
  eventMessage: readEvent,
  scheduledCallCreationMessage: (fields) => [
    titled('Chamada marcada', line(fields['title'])),
    dateOf(fields['scheduledTimestampMs']),
  ],
  groupInviteMessage: (fields) => [
    titled('Convite para o grupo', line(fields['groupName'])),
    line(fields['caption']),
  ],
  newsletterAdminInviteMessage: readChannelInvite,
  newsletterFollowerInviteMessageV2: readChannelInvite,
  stickerPackMessage: (fields) => [
    titled('Pacote de figurinhas', line(fields['name'])),
    line(fields['caption']),
  ],
}

const line = (value: unknown): string | null => text(value, MAX_LINE)?.trim() || null
const titled = (title: string, rest: string | null): string => (rest === null ? title : `${title}: ${rest}`)
const listOf = (value: unknown): Fields[] =>
  (Array.isArray(value) ? value : [])
    .slice(0, MAX_CHOICES)
    .map(fieldsOf)
    .filter((item) => item !== null)

function choices(labels: readonly unknown[]): string[] {
  return labels.slice(0, MAX_CHOICES).flatMap((label) => {
    const written = text(label, 300)?.trim()
    return written ? [`• ${written}`] : []
  })
}

function readTemplate(fields: Fields): (string | null)[] {
  const hydrated = fieldsOf(fields['hydratedTemplate']) ?? fieldsOf(fields['hydratedFourRowTemplate'])
  if (hydrated)
    return [
      line(hydrated['hydratedTitleText']),
      line(hydrated['hydratedContentText']),
      line(hydrated['hydratedFooterText']),
      ...choices(listOf(hydrated['hydratedButtons']).map(templateButton)),
    ]
  const interactive = fieldsOf(fields['interactiveMessageTemplate'])
  if (interactive) return readInteractive(interactive)
  return readRows(child(fields, 'fourRowTemplate'))
}

/** A template that was not filled in. */
function readRows(rows: Fields): (string | null)[] {
  const parts = ['highlyStructuredMessage', 'content', 'footer']
  return [
    ...parts.flatMap((part) => readStructured(child(rows, part))),
    ...choices(listOf(rows['buttons']).map(templateButton)),
  ]
}

const TEMPLATE_BUTTONS = ['quickReplyButton', 'urlButton', 'callButton']

function templateButton(button: Fields): unknown {
  const known = TEMPLATE_BUTTONS.map((name) => child(button, name)).find((fields) => 'displayText' in fields)
  // An unfilled template has its label one level deeper.
  const label = known?.['displayText']
  return fieldsOf(label) ? readStructured(child(known ?? {}, 'displayText'))[0] : label
}

/** The text of a filled template, else its parameters. */
function readStructured(fields: Fields): (string | null)[] {
  const hydrated = child(fields, 'hydratedHsm')
  const filled = ['hydratedTemplate', 'hydratedFourRowTemplate'].find((name) => fieldsOf(hydrated[name]))
  if (filled !== undefined) return readTemplate({ hydratedTemplate: hydrated[filled] })
  const values = Array.isArray(fields['params']) ? fields['params'] : []
  const defaults = listOf(fields['localizableParams']).map((param) => param['default'])
  return (values.length > 0 ? values : defaults).slice(0, MAX_CHOICES).map(line)
}

function readInteractive(fields: Fields): (string | null)[] {
  const cards = listOf(child(fields, 'carouselMessage')['cards']).slice(0, MAX_CARDS)
  return [...readCard(fields), ...cards.flatMap(readCard)]
}

function readCard(fields: Fields): (string | null)[] {
  const header = child(fields, 'header')
  const flow = child(fields, 'nativeFlowMessage')
  return [
    line(header['title']),
    line(header['subtitle']),
    ...readProduct(child(header, 'productMessage')),
    line(child(fields, 'body')['text']),
    line(child(fields, 'footer')['text']),
    ...listOf(flow['buttons']).flatMap(flowButton),
    fieldsOf(fields['shopStorefrontMessage']) || fieldsOf(fields['collectionMessage']) ? 'Catálogo' : null,
  ]
}

/** A button has its label, list, PIX key or amount as JSON. */
function flowButton(button: Fields): (string | null)[] {
  const given = parsed(button['buttonParamsJson'])
  const paid = fieldsOf(given['total_amount'])
  return [
    ...pixKeys(given),
    paid
      ? titled('Total', sum(number(paid['value']), number(paid['offset']) ?? 100, given['currency']))
      : null,
    ...choices([given['display_text'] ?? given['title']]),
    ...sections(listOf(given['sections'])),
    line(given['copy_code']),
  ]
}

function pixKeys(given: Fields): string[] {
  return listOf(given['payment_settings']).flatMap((setting) => {
    const pix = fieldsOf(setting['pix_static_code']) ?? fieldsOf(setting['pix_dynamic_code'])
    const key = line(pix?.['key']) ?? line(pix?.['code'])
    const owner = line(pix?.['merchant_name'])
    return key === null ? [] : [`PIX: ${key}${owner === null ? '' : ` (${owner})`}`]
  })
}

function parsed(json: unknown): Fields {
  try {
    return (typeof json === 'string' && fieldsOf(JSON.parse(json))) || {}
  } catch {
    return {}
  }
}

function sections(listed: Fields[]): (string | null)[] {
  return listed.flatMap((section) => [
    line(section['title']),
    ...choices(
      listOf(section['rows']).map((row) =>
        [line(row['title']), line(row['description'])].filter((part) => part !== null).join(': '),
      ),
    ),
  ])
}

const productSections = (info: Fields): (string | null)[] =>
  listOf(info['productSections']).map((section) => line(section['title']))

function readProduct(fields: Fields): (string | null)[] {
  const product = child(fields, 'product')
  const catalog = child(fields, 'catalog')
  const price = number(product['salePriceAmount1000']) ?? number(product['priceAmount1000'])
  return [
    line(product['title']),
    price === null ? null : sum(price, 1000, product['currencyCode']),
    line(product['description']),
    line(fields['body']),
    line(fields['footer']),
    line(product['url']),
    line(catalog['title']),
    line(catalog['description']),
  ]
}

function readOrder(fields: Fields): (string | null)[] {
  const items = number(fields['itemCount'])
  const total = number(fields['totalAmount1000'])
  return [
    titled('Pedido', line(fields['orderTitle'])),
    items === null ? null : `${items} ${items === 1 ? 'item' : 'itens'}`,
    total === null ? null : titled('Total', sum(total, 1000, fields['totalCurrencyCode'])),
    line(fields['message']),
  ]
}

function readEvent(fields: Fields): (string | null)[] {
  const place = child(fields, 'location')
  return [
    titled(isTrue(fields['isCanceled']) ? 'Evento cancelado' : 'Evento', line(fields['name'])),
    dateOf(fields['startTime']),
    line(place['name']) ?? line(place['address']),
    line(fields['description']),
    line(fields['joinLink']),
  ]
}

function readChannelInvite(fields: Fields): (string | null)[] {
  return [titled('Convite para o canal', line(fields['newsletterName'])), line(fields['caption'])]
}

const readNote = (message: Fields): string | null =>
  line(message['conversation']) ?? line(child(message, 'extendedTextMessage')['text'])

function dateOf(value: unknown): string | null {
  const seconds = epochSeconds(fieldsOf(value) ? number(value) : value)
  return seconds === null ? null : formatDateTime(seconds * 1000)
}

function moneyOf(fields: Fields): string | null {
  const amount = fieldsOf(fields['amount'])
  const value = number(amount?.['value'])
  if (amount && value !== null) return sum(value, number(amount['offset']) ?? 1000, amount['currencyCode'])
  const thousandths = number(fields['amount1000'])
  return thousandths === null ? null : sum(thousandths, 1000, fields['currencyCodeIso4217'])
}

/** 'R$ 1.200,00'; an amount without a currency is in reais. */
function sum(value: number | null, per: number, currency: unknown): string | null {
  if (value === null || !(per > 0)) return null
  const code = typeof currency === 'string' && /^[A-Z]{3}$/.test(currency) ? currency : 'BRL'
  return new Intl.NumberFormat('pt-BR', { style: 'currency', currency: code })
    .format(value / per)
    .replaceAll('\u00a0', ' ')
}
