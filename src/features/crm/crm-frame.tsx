// 'Visão Geral do CRM': the list of brokers, the selected ones, and the board that the page renders inside.
import { Inbox, PanelLeftClose, PanelLeftOpen, Settings2, UserRoundPlus, Users } from 'lucide-react'
import { type ComponentType, type ReactNode, useState } from 'react'
import type { Boards } from '#data/crm.ts'
import { Button } from '#ui/primitives/button.tsx'
import { classNames } from '#ui/primitives/class-names.ts'
import { FailedRead } from '#ui/feedback/failed-read.tsx'
import { State } from '#ui/feedback/state.tsx'
import { DOCKED, useMedia, WIDE } from '#ui/media.ts'
import { usePageTitle } from '#ui/primitives/page-title.ts'
import { BrokerSideList } from './broker-side-list.tsx'
import type { useListed } from './listed-brokers.ts'
import { NumberDoubts } from './number-doubts.tsx'
import { SelectedBrokerChips } from './selected-broker-chips.tsx'
import { toggled } from '#domain/broker-selection.ts'

const TITLE = 'Visão Geral do CRM'
const NOBODY: readonly string[] = []
/** From this width on, the window has room for the list, the board and a conversation. */
const FOR_ALL = '(min-width: 1600px)'

type CrmFrameProps = {
  listed: ReturnType<typeof useListed>
  boards: Boards
  /** Instance names of the selected brokers. */
  selected: readonly string[]
  /** True while the list of brokers loads, so that the selection is not known yet. */
  isOpening: boolean
  /**
   * All brokers are shown because nobody selected any. The list then marks none, and a first press selects that broker
   * alone.
   */
  isEverybody: boolean
  /** An open conversation takes the place of the list, unless the window has room for both. */
  hasConversation: boolean
  /** The conversation, which a wide window shows beside the board. */
  beside: ReactNode
  onSelect: (selected: readonly string[]) => void
  /** Undefined for gerentes, because only administrators manage stages. */
  onManageStages: (() => void) | undefined
  onAdd: () => void
  /** Further actions for the selected brokers. */
  more: ComponentType<{ of: { brokers: readonly string[] }; isDisabled: boolean }> | undefined
  /** Shown while the board is loading. */
  skeleton: ReactNode
  children: ReactNode
}

export function CrmFrame({
  listed,
  boards,
  selected,
  isOpening,
  isEverybody,
  hasConversation,
  beside,
  onSelect,
  onManageStages,
  onAdd,
  more: More,
  ...content
}: CrmFrameProps) {
  usePageTitle(TITLE)
  const isWide = useMedia(WIDE)
  const isDocked = useMedia(DOCKED) && hasConversation
  const hasRoom = useMedia(FOR_ALL)
  // Undefined until the user opens or closes the list. By default a narrow window shows it in place of the board while
  // nobody is selected.
  const [isListWanted, setListWanted] = useState<boolean>()
  const isListShown = isListWanted ?? (selected.length === 0 || (isWide && (hasRoom || !isDocked)))
  const marked = isEverybody ? NOBODY : selected
  const totalOf = (name: string) => boards.states.find(({ instanceName }) => instanceName === name)?.total
  return (
    <div data-fills className="flex min-h-0 grow flex-col gap-4 pt-4 typing:pt-2 lg:pt-6">
      <header className="flex flex-wrap items-center gap-x-3 gap-y-2 px-4 typing:hidden lg:px-8">
        <h1 className="mr-auto text-24 font-semibold tracking-heading">{TITLE}</h1>
        <div className="grid w-full grid-cols-[repeat(auto-fit,minmax(min(100%,8.5rem),1fr))] gap-2 md:flex md:w-auto md:gap-3">
          <Button
            variant="line"
            icon={isListShown ? PanelLeftClose : PanelLeftOpen}
            aria-expanded={isListShown}
            onClick={() => setListWanted(!isListShown)}
          >
            {isListShown ? 'Ocultar Corretores' : 'Mostrar Corretores'}
          </Button>
          {onManageStages && <ManageStages onClick={onManageStages} />}
          {More && <More of={{ brokers: selected }} isDisabled={selected.length === 0} />}
          <Button variant="soft" icon={UserRoundPlus} onClick={onAdd}>
            Adicionar lead
          </Button>
        </div>
      </header>
      {onManageStages && <NumberDoubts />}
      {/* A low window scrolls, because the board would have room for half a card. */}
      <div className="flex min-h-0 grow short:h-[calc(100dvh+6rem)] short:flex-none">
        {isListShown && (
          <div className="flex min-h-0 grow flex-col px-4 md:mr-6 md:grow-0 md:pr-0 lg:pl-8">
            <BrokerSideList
              {...listed}
              selected={marked}
              totalOf={totalOf}
              onToggle={(instanceName) => onSelect(toggled(marked, instanceName))}
            />
          </div>
        )}
        <div
          className={classNames('flex min-h-0 min-w-0 grow flex-col gap-3', isListShown && 'max-md:hidden')}
        >
          {selected.length > 0 && (
            <div className={isListShown ? 'px-0' : 'px-4 lg:px-8'}>
              <SelectedBrokerChips
                states={boards.states}
                onRemove={(instanceName) => onSelect(toggled(selected, instanceName))}
                onClear={() => onSelect([])}
              />
            </div>
          )}
          {/* Both the columns and the list have the page's margin, so one of the two is removed. */}
          <div className={classNames('flex min-h-0 grow flex-col', isListShown && '-ml-4 lg:-ml-8')}>
            {(isWide || !isListShown) && (
              <Content boards={boards} hasSelected={selected.length > 0 || isOpening} {...content} />
            )}
          </div>
        </div>
        {beside}
      </div>
    </div>
  )
}

function ManageStages({ onClick }: { onClick: () => void }) {
  return (
    <Button variant="line" icon={Settings2} onClick={onClick}>
      Gerenciar Kanbans
    </Button>
  )
}

type ContentProps = Pick<CrmFrameProps, 'boards' | 'skeleton' | 'children'> & { hasSelected: boolean }

function Content({ boards: { states, board }, hasSelected, skeleton, children }: ContentProps) {
  if (!hasSelected)
    return (
      <State
        kind="empty"
        icon={Users}
        title="Nenhum corretor selecionado"
        hint="Selecione um ou mais corretores na lista lateral para visualizar seus leads no kanban."
      />
    )
  const failed = states.find(({ pull }) => pull.error)
  if (!board && failed && states.every(({ pull }) => pull.error)) {
    return (
      <FailedRead of={{ ...failed.pull, refetch: () => states.forEach(({ pull }) => void pull.refetch()) }} />
    )
  }
  if (!board) return <div className="overflow-hidden px-4 lg:px-8">{skeleton}</div>
  const isEmpty = states.every(({ total }) => total === 0)
  return isEmpty ? (
    <State
      kind="empty"
      icon={Inbox}
      title="Nenhum lead ainda."
      hint="Eles aparecem aqui quando alguém escrever."
    />
  ) : (
    children
  )
}
