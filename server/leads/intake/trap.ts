// The field of a form that no person sees: who fills it in is a robot, most of the time.
import { fieldsOf, listOf, textOf, UnreadableLead } from './new-lead.ts'

/** Its name in the form to paste (src/features/rotations). */
const TRAP = 'pc_confirme'

/** Raises UnreadableLead: it is kept, as people's browsers fill in more than they see. */
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
