// Saúde do sistema on a broker's phone.
import {
  enterAsBroker,
  expect,
  expectAccessible,
  NO_NETWORK,
  REFUSED,
  test,
} from '#tests/support/browser/story.ts'

// Data that is not the broker's is requested and refused.
test.use({ expectedNoise: { patterns: [REFUSED, NO_NETWORK, /Trusted(HTML|ScriptURL)/] } })

test('a saúde do sistema diz ao corretor o que é dele', async ({ page }) => {
  await page.goto('/test-supabase')
  await expect(page.getByText('Acessível')).toHaveCount(1)
  await expect(page.getByText('Banco de dados')).toBeHidden()
  await expectAccessible(page)

  await enterAsBroker(page)
  await page.goto('/test-supabase')
  await expect(page.getByText('agent_prompts')).toBeVisible()
  await expect(page.getByText('Sem acesso')).toHaveCount(1)
  await expect(page.getByRole('heading', { name: 'Versões' })).toBeHidden()
  await expectAccessible(page)
})

test.describe('sem o portal', () => {
  test.use({ serviceWorkers: 'allow' })

  test('a saúde do sistema abre sem sinal, e diz o que este aparelho sabe', async ({ page, context }) => {
    await enterAsBroker(page)
    await expect(page.getByRole('article').first()).toBeVisible()
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null)
    await context.setOffline(true)
    await page.goto('/test-supabase')
    await expect(page.getByText('Fora do ar')).toBeVisible()
    await expect(page.getByText('este aparelho está sem internet')).toBeVisible()
    await expect(page.getByText('camila')).toBeVisible()
    await expect(page.getByText('Leads atualizados em')).toBeVisible()
    await expectAccessible(page)
  })
})

test('um texto não vira HTML nem script de fora, e o navegador o recusa', async ({ page }) => {
  await enterAsBroker(page)
  await expect(page.getByRole('article').first()).toBeVisible()
  await expect
    .poll(() => page.evaluate(attempt, 'https://outra.example/a.js'))
    .toEqual(['refused', 'refused'])
  expect(await page.evaluate(attempt, '/assets/nada.js')).toEqual(['refused', 'taken'])
})

/** Whether the page takes a text as HTML, and this address for a script. */
function attempt(address: string): string[] {
  return [
    () => (document.createElement('div').innerHTML = '<b>a</b>'),
    () => (document.createElement('script').src = address),
  ].map((write) => {
    try {
      write()
      return 'taken'
    } catch {
      return 'refused'
    }
  })
}
