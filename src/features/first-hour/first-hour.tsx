// 'Do zero ao primeiro lead respondido': guides a new agency through its first steps, each with its result or what is
// missing.
import { useQuery } from '@tanstack/react-query'
import { Check, LifeBuoy, Palette } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { type FirstHour as Hour, isOver, type Step, type StepName, stepsOf } from '#domain/first-hour.ts'
import { copyText } from '#ui/clipboard.ts'
import { toast } from '#ui/feedback/toast.ts'
import { ProgressRing } from '#ui/feedback/progress-ring.tsx'
import { Badge } from '#ui/primitives/badge.tsx'
import { Button } from '#ui/primitives/button.tsx'
import { classNames } from '#ui/primitives/class-names.ts'
import { Icon } from '#ui/primitives/icon.tsx'
import { firstHourQuery } from './data.ts'
import type { HourEnd } from './first-hour-end.tsx'
import { GatewayForm } from './gateway-form.tsx'
import { RemoveTestLead, TestLeadForm } from './test-lead.tsx'

const instructionsFor = (address: string, webhook: string) =>
  [
    `Portal do Corretor em ${address}`,
    '',
    `1. Uma Evolution API 2.3 ou mais nova, ou um WAHA 2026.6.1 ou mais novo com o motor NOWEB, precisa estar no ar e alcançar o portal em ${webhook}; se for outro o endereço que ele alcança, é WEBHOOK_BASE_URL.`,
    '2. O endereço e a chave de API (na Evolution, AUTHENTICATION_API_KEY) são informados no portal, na tela WhatsApp, ou nas configurações do servidor do portal (docs/instalacao.md).',
    '3. Para os celulares, PUBLIC_URL é o endereço do portal com https.',
    '4. O backup sai todo dia para a pasta de dados; guarde cópias também fora da máquina.',
  ].join('\n')

type StepTexts = { title: string; hint: string; short: string; minutes: number | null }
const STEP_TEXTS: Readonly<Record<StepName, StepTexts>> = {
  portal: {
    title: 'Portal no ar',
    hint: 'Banco de dados e endereço seguro.',
    short: 'endereço seguro',
    minutes: null,
  },
  gateway: {
    title: 'Ligue o serviço de WhatsApp',
    hint: 'É ele que recebe e envia as mensagens. Informe o endereço e a chave da sua Evolution API ou do seu WAHA.',
    short: 'serviço de WhatsApp',
    minutes: 5,
  },
  broker: {
    title: 'Cadastre o primeiro corretor',
    hint: 'Ele recebe um convite e conecta o WhatsApp pelo próprio celular.',
    short: 'primeiro corretor',
    minutes: 2,
  },
  source: {
    title: 'Ligue uma fonte de leads',
    hint: 'ZAP, ImovelWeb, Meta, Google Ads, seu site, ou um QR na placa.',
    short: 'fonte de leads',
    minutes: 3,
  },
  answer: {
    title: 'Responda o primeiro lead',
    hint: 'Envie um lead de teste e veja chegar no celular do corretor.',
    short: 'primeira resposta',
    minutes: null,
  },
}

const HIDDEN_KEY = 'first-hour-hidden'
const CLOSED_KEY = 'first-hour-closed'

/** `isAlone` is true if the agency has no broker yet; then the steps are the only content of the page. */
export function useFirstHour() {
  const { data } = useQuery(firstHourQuery())
  const [isHidden, setHidden] = useState(() => localStorage.getItem(HIDDEN_KEY) !== null)
  const isAlone = data?.brokers === 0
  const hour = !data || isOver(data) || (isHidden && !isAlone) ? null : data
  const [wasShown, setWasShown] = useState(false)
  if (hour && !wasShown) setWasShown(true)
  const [isClosed, setClosed] = useState(() => localStorage.getItem(CLOSED_KEY) !== null)
  const answeredIn = data && isOver(data) ? (data.lead?.seconds ?? null) : null
  const test = data?.test ?? undefined
  // The guide ends by showing the result. As long as a test lead exists, it stays, so that the user can remove the
  // lead.
  const end: HourEnd | null =
    answeredIn !== null && (test || (wasShown && !isClosed)) ? { seconds: answeredIn, test } : null
  const close = () => {
    localStorage.setItem(CLOSED_KEY, '1')
    setClosed(true)
  }
  const hide = () => {
    localStorage.setItem(HIDDEN_KEY, '1')
    setHidden(true)
  }
  return { hour, isAlone, hide, end, close }
}

const isLocal = () => /^(localhost|127\.|\[::1\])/.test(location.hostname)

type FirstHourProps = {
  hour: Hour
  onAddBroker: () => void
  onAddSource: () => void
  /** Shows the list of leads without a broker. */
  onShowUnowned: () => void
  onBrand: () => void
  onHide: () => void
}

export function FirstHour({ hour, onHide, onBrand, ...to }: FirstHourProps) {
  const isAlone = hour.brokers === 0
  const Title = isAlone ? 'h1' : 'h2'
  const steps = stepsOf(hour, isLocal())
  const now = steps.find(({ isDone }) => !isDone)?.name
  const done = steps.filter(({ isDone }) => isDone).length
  const bodies: Partial<Record<StepName, ReactNode>> = {
    gateway: (hour.gateway.source === 'none' || hour.gateway.source === 'kept') && (
      <GatewayForm url={hour.gateway.url} {...(hour.gateway.kind ? { kind: hour.gateway.kind } : {})} />
    ),
    broker: hour.brokers === 0 && <Button onClick={to.onAddBroker}>Adicionar Corretor</Button>,
    source: <Button onClick={to.onAddSource}>Ligar uma fonte</Button>,
    answer:
      hour.lead?.isOwned === false ? (
        <Button onClick={to.onShowUnowned}>Ver leads a distribuir</Button>
      ) : hour.test ? (
        <>
          <p className="mb-3 text-14 text-text-2">Ele não conta nos números.</p>
          <RemoveTestLead />
        </>
      ) : (
        !hour.lead && hour.broker && <TestLeadForm first={hour.broker.instanceName} />
      ),
  }
  return (
    <section aria-labelledby="first-hour" className="mx-auto w-full max-w-260 pb-8">
      <Title id="first-hour" className="text-24 font-semibold tracking-heading lg:text-28">
        Do zero ao primeiro lead respondido
      </Title>
      <p className="pt-1 pb-5 text-15 text-text-2">
        Cinco passos, uns 15 minutos. Pode parar e voltar: cada um fica guardado.
      </p>
      <div className="flex flex-col gap-4 lg:flex-row lg:items-start">
        <ol className="min-w-0 grow divide-y divide-border rounded-lg bg-surface shadow-line">
          {steps.map((step, index) => (
            <Row
              key={step.name}
              as={isAlone ? 'h2' : 'h3'}
              step={step}
              number={index + 1}
              isNow={step.name === now}
            >
              {bodies[step.name]}
            </Row>
          ))}
        </ol>
        <aside className="flex flex-col gap-4 lg:w-82 lg:shrink-0">
          <div className="flex flex-wrap items-center gap-x-4 rounded-lg bg-surface p-5 text-primary shadow-line">
            <ProgressRing ratio={done / steps.length} />
            <div className="min-w-0 text-text">
              <p className="text-16 font-semibold">{`${done} de ${steps.length} feito`}</p>
              {now && <p className="text-14 text-text-3">{`Agora: ${STEP_TEXTS[now].short}`}</p>}
            </div>
            {!isAlone && (
              <span className="ml-auto whitespace-nowrap">
                <Button variant="ghost" size="small" onClick={onHide}>
                  Esconder guia
                </Button>
              </span>
            )}
          </div>
          <div className="flex gap-3 rounded-lg bg-surface p-5 text-14 text-text-2 shadow-line">
            <Icon of={Palette} size={20} className="shrink-0 text-text-3" />
            <p>
              Nome, cor e ícone da imobiliária:{' '}
              <button
                type="button"
                onClick={onBrand}
                className="min-h-6 font-semibold text-primary underline-offset-2 hover:underline"
              >
                Definir a marca
              </button>
            </p>
          </div>
          <Help address={hour.address ?? location.origin} webhook={hour.webhook.url} />
        </aside>
      </div>
    </section>
  )
}

type RowProps = { as: 'h2' | 'h3'; step: Step; number: number; isNow: boolean; children: ReactNode }

function Row({ as: Title, step, number, isNow, children }: RowProps) {
  const { name, isDone, isWaiting, told, fault } = step
  const { title, hint, minutes } = STEP_TEXTS[name]
  return (
    <li aria-current={isNow ? 'step' : undefined} className="flex gap-4 px-4 py-4 lg:px-5">
      <span
        aria-hidden
        className={classNames(
          'flex size-7 shrink-0 items-center justify-center rounded-full text-14 font-semibold',
          isDone
            ? 'bg-success-soft text-on-success-soft'
            : isNow
              ? 'bg-primary-soft text-on-primary-soft'
              : 'bg-surface-2 text-text-3',
        )}
      >
        {isDone ? <Icon of={Check} size={16} /> : number}
      </span>
      <div className="min-w-0 grow">
        <div className="flex flex-wrap items-baseline gap-x-3">
          <Title
            className={classNames(
              'mr-auto text-16',
              isDone || isNow ? 'font-semibold text-text' : 'font-medium text-text-2',
            )}
          >
            {title}
          </Title>
          {isDone ? (
            <Badge tone="success">Pronto</Badge>
          ) : (
            minutes !== null && !isNow && <span className="text-13 text-text-3">{minutes} min</span>
          )}
        </div>
        <p className="pt-0.5 text-14 text-text-2">{told ?? hint}</p>
        {fault !== null && (isDone || isNow) && (
          <output
            className={classNames(
              'block pt-1 text-14',
              isDone ? 'text-text-3' : isWaiting ? 'text-text-2' : 'text-danger',
            )}
          >
            {fault}
          </output>
        )}
        {isNow && children && <div className="pt-3">{children}</div>}
      </div>
    </li>
  )
}

function Help({ address, webhook }: { address: string; webhook: string }) {
  const copy = async () =>
    (await copyText(instructionsFor(address, webhook)))
      ? toast('Instruções copiadas', 'success')
      : toast('Não foi possível copiar', 'error')
  return (
    <div className="flex gap-3 rounded-lg bg-surface p-5 text-14 text-text-2 shadow-line">
      <Icon of={LifeBuoy} size={20} className="shrink-0 text-text-3" />
      <p>
        Não administra o servidor?{' '}
        <button
          type="button"
          onClick={() => void copy()}
          className="min-h-6 font-semibold text-primary underline-offset-2 hover:underline"
        >
          Copie as instruções
        </button>{' '}
        e envie para quem cuida dele.
      </p>
    </div>
  )
}
