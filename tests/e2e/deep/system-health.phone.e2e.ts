// Saúde do sistema on a broker's phone.
import { enterAsBroker, expect, expectAccessible, REFUSED, test } from '#tests/support/browser/story.ts'

// Data that is not the broker's is requested and refused.
test.use({ expectedNoise: { patterns: [REFUSED] } })

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
