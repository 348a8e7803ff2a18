// Shows one source in three steps: its address, where its leads go, and a test. A new key can be made, and the source
// revoked.
import { formatDate, formatHour } from '#domain/format.ts'
import { useMutation } from '@tanstack/react-query'
import { CircleAlert, CircleCheck, Send } from 'lucide-react'
import { type ComponentType, useId, useState } from 'react'
import { useIsOnline } from '#data/connectivity.ts'
import { newOperationId } from '#data/operation.ts'
import { ask } from '#ui/feedback/ask.ts'
import { toast } from '#ui/feedback/toast.ts'
import { SelectField } from '#ui/forms/select-field.tsx'
import { Switch } from '#ui/forms/switch.tsx'
import { Button } from '#ui/primitives/button.tsx'
import { Icon } from '#ui/primitives/icon.tsx'
import { AddressBox } from './address-box.tsx'
import { changeSource, revokeSource, type Source, swapSourceKey, testSource, type Tested } from './data.ts'
import { FormPages } from './form-pages.tsx'
import { MailboxPart } from './mailbox.tsx'
import { SourceMark } from './source-mark.tsx'
import { isOfApi } from './source-state.ts'
import { CHANGE_FAILED, OWN_DEVELOPMENT, perMinuteOf, TEST_FAILED, testedText, whereOf } from './texts.ts'

const testedWhere = ({ roleta }: Tested) =>
  roleta === null
    ? 'Sem roleta: ficaria com o administrador.'
    : `Iria para a roleta ${roleta}. Nada foi distribuído.`

const madeBy = ({ createdBy, createdAtMs }: Source) => `Ligada por ${createdBy} em ${formatDate(createdAtMs)}`

const REVOKE = 'Revogar'
const WHERE = 'Para onde vão os leads'
const OF_API = 'Entra pela API, com uma chave de acesso de Integrações.'

const OFF = 'Desligada: o que ela enviar é recusado e não fica guardado.'

const SWAP = 'Trocar a chave'

export type SourceLinkProps = { name: string; about: string | null; code: string }

type SourcePanelProps = {
  source: Source
  developments: readonly string[]
  link: ComponentType<SourceLinkProps>
}

export function SourcePanel({ source, developments, link: Link }: SourcePanelProps) {
  const { kind, preset, name, revokedAtMs, offAtMs, settings } = source
  const isOnline = useIsOnline()
  const { mutate: change, isPending } = useMutation({
    ...changeSource(source.id),
    onError: () => toast(CHANGE_FAILED, 'error'),
  })
  const chosen = settings.development
  const isApi = isOfApi(source)
  const known =
    chosen === undefined || developments.includes(chosen) ? developments : [chosen, ...developments]
  return (
    <div className="flex flex-col">
      <div className="flex items-center gap-3 px-5 pt-5 max-[1199px]:px-3 max-[1199px]:pt-1">
        <SourceMark of={preset} />
        <div className="min-w-0 grow">
          <h2 className="text-17 font-semibold wrap-anywhere max-[1199px]:sr-only">{name}</h2>
          <p className="text-13 text-text-3">{madeBy(source)}</p>
          <p className="text-13 text-text-3">{`Limite: ${perMinuteOf(source.perMinute)}`}</p>
        </div>
        {revokedAtMs === null && (
          <Switch
            label="Recebe leads"
            isBare
            isOn={offAtMs === null}
            isDisabled={!isOnline || isPending}
            onChange={(isOn) => change({ isOn })}
          />
        )}
      </div>
      {offAtMs !== null && revokedAtMs === null && (
        <p className="px-5 pt-3 text-13 text-text-2 max-[1199px]:px-3">{OFF}</p>
      )}
      {revokedAtMs === null && (
        <>
          <div className="flex flex-col gap-5 px-5 py-5 max-[1199px]:px-3">
            {isApi ? (
              <p className="text-13 text-text-3">{OF_API}</p>
            ) : (
              <Step title={`1. ${preset.place}`}>
                <AddressBox sourceId={source.id} kind={kind} />
              </Step>
            )}
            <SelectField
              label={isApi ? WHERE : `2. ${WHERE}`}
              value={chosen ?? ''}
              disabled={!isOnline || isPending}
              onChange={({ target }) => change({ settings: { development: target.value || null } })}
            >
              <option value="">{OWN_DEVELOPMENT}</option>
              {known.map((development) => (
                <option key={development} value={development}>
                  {whereOf(development)}
                </option>
              ))}
            </SelectField>
            <PlanRule
              isOn={settings.plansSince !== undefined}
              isDisabled={!isOnline || isPending}
              onChange={(startsPlans) => change({ settings: { startsPlans } })}
            />
            {!isApi && (
              <Step title="3. Confira">
                <Trial source={source} isOnline={isOnline} />
              </Step>
            )}
          </div>
          {kind === 'form' && !isApi && <FormPages source={source} />}
          {kind === 'email' && <MailboxPart sourceId={source.id} />}
          <div className="px-5 py-5 shadow-[0_-1px_0_var(--color-border)] max-[1199px]:px-3">
            <Link name={name} about={chosen ?? null} code={source.code} />
          </div>
          <Ends source={source} isOnline={isOnline} />
        </>
      )}
    </div>
  )
}

type PlanRuleProps = { isOn: boolean; isDisabled: boolean; onChange: (isOn: boolean) => void }

const PlanRule = (props: PlanRuleProps) => (
  <div className="-mx-4">
    <Switch
      label="Começa o plano de tentativas sozinho"
      hint="Para quem entrar de agora em diante e ficar dois dias em silêncio depois da nossa resposta"
      {...props}
    />
  </div>
)

function Step({ title, children }: { title: string; children: React.ReactNode }) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="flex flex-col gap-2">
      <h3 id={id} className="text-14 leading-snug font-medium">
        {title}
      </h3>
      {children}
    </section>
  )
}

function Trial({ source: { id: sourceId, testedAtMs }, isOnline }: { source: Source; isOnline: boolean }) {
  const [tested, setTested] = useState<Tested | null>(null)
  const { mutate, isPending } = useMutation({
    ...testSource(sourceId),
    onSuccess: setTested,
    onError: () => toast(TEST_FAILED, 'error'),
  })
  const isRead = tested?.told != null
  return (
    <>
      <Button
        variant="soft"
        icon={Send}
        disabled={!isOnline}
        busy={isPending && 'Enviando...'}
        onClick={() => mutate(null)}
      >
        Testar a leitura
      </Button>
      <output className="block text-13 leading-snug empty:hidden">
        {tested && (
          <>
            <span
              className={`flex items-start gap-2 ${isRead ? 'text-on-success-soft' : 'text-on-danger-soft'}`}
            >
              <Icon of={isRead ? CircleCheck : CircleAlert} size={16} className="mt-0.5" />
              {testedText(tested)}
            </span>
            {isRead && <span className="mt-1 block pl-6 text-text-3">{testedWhere(tested)}</span>}
          </>
        )}
      </output>
      {testedAtMs !== null && (
        <p className="text-13 text-text-3">{`Último teste em ${formatDate(testedAtMs)}, ${formatHour(testedAtMs)}`}</p>
      )}
    </>
  )
}

function Ends({ source, isOnline }: { source: Source; isOnline: boolean }) {
  const { id, kind, name } = source
  const [operationId, setOperationId] = useState(newOperationId)
  const swap = useMutation({
    ...swapSourceKey(id),
    onSuccess: () => {
      setOperationId(newOperationId())
      toast('Chave trocada. A de antes vale por 24 horas.', 'success')
    },
    onError: () => toast(CHANGE_FAILED, 'error'),
  })
  const revoke = useMutation({
    ...revokeSource(id),
    onSuccess: () => toast('Fonte revogada', 'success'),
    onError: () => toast(CHANGE_FAILED, 'error'),
  })
  return (
    <div className="flex justify-between gap-2 px-3 py-2 shadow-[0_-1px_0_var(--color-border)] max-[1199px]:px-1">
      {/* A Meta source's address has no key: Meta signs its deliveries. API tokens are renewed in Integrações. */}
      {kind === 'meta' || isOfApi(source) ? (
        <span />
      ) : (
        <Button
          variant="quiet"
          size="small"
          disabled={!isOnline || swap.isPending}
          onClick={() =>
            ask({
              question: 'Trocar a chave?',
              consequence:
                'O endereço muda. O de antes ainda vale por 24 horas, para dar tempo de colar o novo.',
              action: { label: SWAP, run: () => swap.mutate(operationId), tone: 'primary' },
            })
          }
        >
          {SWAP}
        </Button>
      )}
      <Button
        variant="dangerLine"
        size="small"
        disabled={!isOnline || revoke.isPending}
        onClick={() =>
          ask({
            question: `Revogar "${name}"?`,
            consequence:
              'Ela deixa de enviar leads agora. Os que já chegaram ficam. Isto não se desfaz: para voltar, ligue outra.',
            action: { label: REVOKE, run: () => revoke.mutate(null) },
          })
        }
      >
        {REVOKE}
      </Button>
    </div>
  )
}
