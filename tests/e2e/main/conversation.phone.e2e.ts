// A message is written and sent once.
import { expect } from '#tests/support/browser/story.ts'
import { bubble, enter, rowsOf, test, WRITING } from '#tests/e2e/composer.ts'

test.use(WRITING)

test('escreve, envia uma vez e vê os sinais andarem', async ({ page, portalUrl }) => {
  const { lines, box, send } = await enter(page, 'Luciana Prado')
  await box.fill('Primeira linha')
  await box.press('Enter')
  await box.pressSequentially('segunda linha')
  await expect(box).toHaveValue('Primeira linha\nsegunda linha')
  await send.dblclick()
  await expect(box).toHaveValue('')
  const sent = bubble(lines, 'segunda linha')
  await expect(sent).toHaveCount(1)
  await expect(sent.getByText('lida')).toBeAttached()
  expect(await rowsOf(portalUrl, 'Primeira linha\nsegunda linha')).toHaveLength(1)
  await expect(box).toBeFocused()
})
