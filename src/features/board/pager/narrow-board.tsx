// The phone's board and its search, which covers it: the board keeps its stage and scroll position.
import { Search, UserRoundPlus } from 'lucide-react'
import { type ComponentProps, Suspense, useRef, useState } from 'react'
import { IconButton } from '#ui/primitives/button.tsx'
import { lazily, useIdlePreload } from '#ui/lazily.ts'
import { PagerBoard } from './pager-board.tsx'
import { SEARCH } from '../search/texts.ts'
import { useSearchKey } from '../search/use-search-key.ts'
import { ADD_LEAD } from '../ground/texts.ts'

const screen = lazily(async () => (await import('../search/search-screen.tsx')).SearchScreen)

type NarrowBoardProps = Omit<ComponentProps<typeof PagerBoard>, 'tools'> & {
  /** Undefined if the reader cannot add leads here. */
  onAdd?: () => void
}

export function NarrowBoard({ onAdd, ...board }: NarrowBoardProps) {
  /** The search text; undefined while the search is closed. */
  const [text, setText] = useState<string>()
  const isSearching = text !== undefined
  const opener = useRef<HTMLDivElement>(null)
  const open = () => screen.open(() => setText(''))
  const close = () => {
    setText(undefined)
    // The search field vanishes together with the focus, so the button that opened it gets the focus.
    requestAnimationFrame(() => opener.current?.querySelector('button')?.focus())
  }
  useSearchKey(() => !isSearching && open())
  useIdlePreload(screen.load)
  const { columns, onOpen, onNotes, onMoveSheet, onPending, onNext, Face, Line } = board
  return (
    <>
      <div inert={isSearching} className="flex min-h-0 grow flex-col">
        <PagerBoard
          {...board}
          tools={
            <div className="-mr-1 flex">
              {onAdd && <IconButton icon={UserRoundPlus} label={ADD_LEAD} onClick={onAdd} />}
              <div ref={opener} className="contents">
                <IconButton icon={Search} label={SEARCH} onClick={open} />
              </div>
            </div>
          }
        />
      </div>
      <Suspense>
        {isSearching && (
          <screen.Component
            columns={columns}
            text={text}
            onText={setText}
            onClose={close}
            {...{ onOpen, onNotes, onMoveSheet, onPending, onNext, Face, Line }}
          />
        )}
      </Suspense>
    </>
  )
}
