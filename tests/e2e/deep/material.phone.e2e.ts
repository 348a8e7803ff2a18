// A broker without a signal sends a development's photo, price table and place in three taps.
import sharp from 'sharp'
import { ADMIN, brokerNamed, tokenOf } from '#tests/support/browser/session.ts'
import { expect, expectAccessible } from '#tests/support/browser/story.ts'
import { call } from '#tests/support/portal.ts'
import { PDF } from '#tests/support/files.ts'
import { enter, test, WRITING } from '#tests/e2e/composer.ts'

test.use(WRITING)

const NAME = 'Mirante do Lago'
const PHOTO = sharp({ create: { width: 640, height: 480, channels: 3, background: '#9cc7d8' } }).png()

const TABLE = Buffer.concat([PDF, Buffer.from('1 0 obj <</Type /Catalog>> endobj trailer <</Root 1 0 R>>')])

type Development = { id: number; name: string; version: number; media: { id: number }[]; plans: object[] }

/** Gives the demonstration's development a photo, a price table and a place on the map. */
async function furnish(origin: string) {
  const token = await tokenOf(origin, ADMIN)
  const { body } = await call<{ developments: Development[] }>(`${origin}/api/developments`, { token })
  const id = body.developments.find(({ name }) => name === NAME)?.id ?? 0
  const add = async (kind: string, title: string, file: Buffer<ArrayBuffer>, fileName: string) => {
    const form = new FormData()
    form.append('message', JSON.stringify({ kind, title, fileName }))
    form.append('file', new Blob([file]), fileName)
    const headers = { authorization: `Bearer ${token}` }
    const added = await fetch(`${origin}/api/developments/${id}/files`, {
      method: 'POST',
      headers,
      body: form,
    })
    expect(added.status).toBe(200)
  }
  await add('foto', 'Fachada', Buffer.from(await PHOTO.toBuffer()), 'fachada.png')
  await add('tabela', 'Tabela de vendas', TABLE, 'Tabela Mirante do Lago.pdf')
  const { body: record } = await call<Development>(`${origin}/api/developments/${id}`, { token })
  const development = {
    ...record,
    placeName: 'Estande Mirante do Lago',
    latitude: -22.9,
    longitude: -47.06,
    removedMedia: [],
  }
  const saved = await call(`${origin}/api/developments/${id}/save`, {
    token,
    body: { operationId: crypto.randomUUID(), version: record.version, development },
  })
  expect([saved.status, saved.body]).toEqual([200, expect.anything()])
}

test('sem sinal, em três toques: foto, tabela e local esperam na conversa e saem em ordem', async ({
  page,
  context,
  whatsapp,
}) => {
  const { origin } = whatsapp
  await furnish(origin)
  const { conversation, lines } = await enter(page, 'Marina Tavares')
  const sheet = page.getByRole('dialog', { name: NAME })
  const plus = conversation.getByRole('button', { name: 'Anexar arquivo' })
  // The index and the small photo come while there is a signal.
  await plus.click()
  await page.getByRole('menuitem', { name: 'Material' }).click()
  await expect(sheet.getByRole('button', { name: /escolhida, 1ª de 3/ }).locator('img')).toBeVisible()
  await sheet.getByRole('button', { name: 'Fechar' }).click()
  await context.setOffline(true)

  await plus.click()
  await page.getByRole('menuitem', { name: 'Material' }).click()
  await expect(sheet.getByText('Sem conexão. Pode escolher: sai quando a internet voltar.')).toBeVisible()
  await expect(sheet.getByRole('button', { name: /escolhida, 1ª de 3/ }).locator('img')).toBeVisible()
  await expectAccessible(page)
  await page.screenshot({ path: test.info().outputPath('card.png') })
  await sheet.getByRole('button', { name: 'Enviar 3' }).click()

  await expect(lines.getByText('Estande Mirante do Lago')).toBeVisible()
  await expect(lines.getByText(/Preço da tabela de/)).toBeVisible()
  await page.screenshot({ path: test.info().outputPath('waiting.png') })

  await context.setOffline(false)
  const token = await tokenOf(origin, brokerNamed('camila'))
  const query = 'select=kind,body,delivery&type=eq.outgoing&order=id.desc&limit=3'
  await expect
    .poll(
      async () =>
        (await call<object[]>(`${origin}/rest/v1/whatsapp_messages?${query}`, { token })).body.toReversed(),
      { timeout: 30_000 },
    )
    .toMatchObject([
      {
        kind: 'image',
        body: expect.stringContaining('Preço da tabela de'),
        delivery: expect.stringMatching(/sent|delivered|read/),
      },
      { kind: 'document' },
      {
        kind: 'location',
        body: 'Estande Mirante do Lago',
        delivery: expect.stringMatching(/sent|delivered|read/),
      },
    ])
  await conversation.getByRole('button', { name: 'Opções de Marina Tavares' }).click()
  await page.getByRole('menuitem', { name: 'Dados do lead' }).click()
  const sent = page.getByRole('region', { name: 'Material enviado' })
  await expect(sent.getByRole('listitem').first()).toContainText('Estande Mirante do Lago')
  await expect(sent.getByRole('listitem')).toHaveCount(3)
})
