// The honeypot field of a form: people do not see it, so usually only robots fill it in.
import { fieldsOf, listOf, textOf, UnreadableLead } from './new-lead.ts'

/** The trap's name in the form that users paste (src/features/rotations). */
const TRAP = 'pc_confirme'

/**
 * Raises UnreadableLead: the body is kept, because browsers of real people sometimes fill in hidden fields.
 */
export function refuseRobot(body: unknown): void {
  if ([body, ...listOf(body)].some((one) => textOf(fieldsOf(one)[TRAP]) !== null))
    throw new UnreadableLead(
      'Envie os dados do lead como JSON ou formulário.',
      'Parece um robô: preencheu o campo escondido',
      {
        isRobot: true,
      },
    )
}
