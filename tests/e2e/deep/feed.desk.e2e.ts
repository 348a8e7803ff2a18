// An administrator takes over a feed, publishes a listing, and everybody reads its page.
import { onOwnDemo } from '#tests/support/browser/own-portal.ts'
import { enterAsAdmin, expect, expectAccessible, REFUSED } from '#tests/support/browser/story.ts'
import { feedOf, type FeedItem } from '#tests/support/feed.ts'

const test = onOwnDemo()
test.use({ expectedNoise: { patterns: [REFUSED, /the server responded with a status of 422/] } })

const file = (items: readonly FeedItem[]) => ({
  name: 'imoveis.xml',
  mimeType: 'application/xml',
  buffer: Buffer.from(feedOf(items)),
})
const FOUR: FeedItem[] = [
  { code: 'AP-1', title: 'Apartamento no Mirante do Lago, 2 quartos', price: '412.000,00' },
  { code: 'AP-2', title: 'Casa com quintal e edícula', price: '650000', district: 'Taquaral' },
  { code: 'AP-3', title: 'Cobertura com terraço', price: '1.180.000,00' },
  { code: 'AP-4', title: 'Kitnet no centro', price: 'a combinar' },
]

test('lê um arquivo, mostra o que muda, aplica, publica um imóvel, e recusa meio feed', async ({
  page,
  context,
}) => {
  await enterAsAdmin(page, '/empreendimentos')
  await page.getByRole('button', { name: 'Importar de um feed' }).click()
  await expect(page).toHaveURL(/feed=1/)
  await expect(page.getByRole('heading', { name: 'Importar de um feed' })).toBeVisible()
  await expectAccessible(page)

  await page.getByRole('button', { name: 'Arquivo' }).click()
  const picker = page.getByLabel('Arquivo do feed')
  await picker.setInputFiles({ ...file([]), buffer: Buffer.from('<html></html>') })
  await expect(page.getByText(/não é um VRSync/)).toBeVisible()
  await picker.setInputFiles(file(FOUR))
  await expect(page.getByRole('button', { name: 'Aplicar 4 mudanças' })).toBeVisible()
  await expect(page.getByText('Preço de venda não é um número: “a combinar”. Fica sem preço.')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Aplicar 4 mudanças' }).click()
  await expect(page.getByText('4 mudanças aplicadas.')).toBeVisible()

  const row = page.getByRole('row').filter({ hasText: 'AP-1' })
  await expect(row).toContainText('R$ 412 mil · em')
  await expect(row).toContainText('Mirante do Lago')

  await picker.setInputFiles(
    file([
      FOUR[0]!,
      { ...FOUR[1]!, price: '640000' },
      FOUR[2]!,
      { code: 'AP-5', title: 'Loja de rua com vitrine' },
    ]),
  )
  await expect(page.getByRole('button', { name: 'Aplicar 2 mudanças' })).toBeVisible()
  await expect(page.getByRole('checkbox', { name: 'Aplicar Kitnet no centro' })).not.toBeChecked()
  await page.getByRole('checkbox', { name: 'Aplicar Loja de rua com vitrine' }).uncheck()
  await page.getByRole('button', { name: 'Aplicar 1 mudança' }).click()
  await expect(page.getByText('1 mudança aplicada.')).toBeVisible()

  await page
    .getByRole('switch', { name: 'Publicar Apartamento no Mirante do Lago, 2 quartos' })
    .press('Space')
  const link = page.getByRole('link', { name: /^Abrir a página de Apartamento no Mirante/ })
  await expect(link).toBeVisible()
  const visitor = await context.browser()!.newContext({ javaScriptEnabled: false })
  const shown = await visitor.newPage()
  await shown.goto(new URL((await link.getAttribute('href'))!, page.url()).href)
  await expect(shown.getByRole('heading', { level: 1 })).toHaveText(
    'Apartamento no Mirante do Lago, 2 quartos',
  )
  await expect(shown.getByText(/R\$\s412\.000/)).toBeVisible()
  await visitor.close()

  // A file with fewer than half of before is refused until the number is typed.
  await picker.setInputFiles(file([FOUR[0]!]))
  await expect(page.getByRole('alert').filter({ hasText: 'recusada' })).toContainText(
    '3 de 4 imóveis sumiriam',
  )
  const apply = page.getByRole('button', { name: 'Aplicar mesmo assim', exact: true })
  await expect(apply).toBeDisabled()
  await page.getByRole('button', { name: 'Ver os 3' }).click()
  await expect(page.getByRole('button', { name: /^Sumiram/ })).toHaveAttribute('aria-pressed', 'true')
  await page.getByRole('button', { name: 'Aplicar mesmo assim…' }).click()
  await expect(page.getByLabel('Número de imóveis que sumiram')).toBeFocused()
  await page.getByLabel('Número de imóveis que sumiram').fill('3')
  await page.getByLabel('Marcar os que sumiram').check()
  await apply.click()
  await expect(page.getByText('3 mudanças aplicadas.')).toBeVisible()
})
