// Shows the state of the agents' language model in Saúde: the result of its test, and its last failure.
import { useMutation } from '@tanstack/react-query'
import { type Insides, tryModel } from '#data/diagnostics.ts'
import { TURN_REASON } from '#domain/agent/turn.ts'
import { countOf, formatNumber } from '#domain/count.ts'
import { PortalError } from '#domain/errors.ts'
import { formatDateTime } from '#domain/format.ts'
import { toast } from '#ui/feedback/toast.ts'
import { Button } from '#ui/primitives/button.tsx'
import { Check, Group, Row } from './rows.tsx'
import { CHECKING } from './texts.ts'

type Model = NonNullable<Insides['model']>
type Found = NonNullable<Model['found']>

const TOOLS = {
  used: 'Usa ferramentas',
  ignored: 'Não usou a ferramenta do teste',
  refused: 'Este modelo não usa ferramentas: só sugere',
}

export function ModelHealth({ model: { model, found, failure } }: { model: Model }) {
  const { mutate, isPending } = useMutation({
    ...tryModel(),
    onError: (error) =>
      toast(error instanceof PortalError ? error.message : 'Não foi possível testar o modelo.', 'error'),
  })
  return (
    <div className="flex flex-col gap-3">
      <Group title="Modelo dos agentes">
        <Row name="Modelo">{model}</Row>
        <Check
          name="Responde"
          isGood={found && found.answers}
          words={found?.answers ? 'Sim' : faultWords(found?.fault ?? '')}
        />
        {found?.tools && (
          <Check name="Ferramentas" isGood={found.tools === 'used'} words={TOOLS[found.tools]} />
        )}
        {found && <Row name="Último teste">{trialWords(found)}</Row>}
        {found?.said && <Row name="O serviço disse no teste">{found.said}</Row>}
        {failure && (
          <Row name="Última falha">{`${formatDateTime(failure.at)}: ${faultWords(failure.fault)}`}</Row>
        )}
        {failure?.said && <Row name="O serviço disse na falha">{failure.said}</Row>}
      </Group>
      <span>
        <Button variant="line" busy={isPending && CHECKING} onClick={() => mutate()}>
          Testar o modelo
        </Button>
      </span>
    </div>
  )
}

const faultWords = (fault: string) => (isReason(fault) ? TURN_REASON[fault] : 'O modelo não respondeu.')
const isReason = (fault: string): fault is keyof typeof TURN_REASON => Object.hasOwn(TURN_REASON, fault)

function trialWords({ at, seconds, inputTokens, outputTokens, isEstimated }: Found): string {
  const tokens = `${isEstimated ? 'cerca de ' : ''}${countOf(inputTokens + outputTokens, 'token', 'tokens')}`
  return `${formatDateTime(at)}, ${formatNumber(Math.round(seconds * 10) / 10)} s, ${tokens}`
}
