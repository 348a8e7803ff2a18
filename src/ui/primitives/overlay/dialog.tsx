// A modal with a title and a close button: a sheet on phones, a centred box in wider windows.
import { X } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { IconButton } from '../button.tsx'
import { Modal, type ModalProps } from './modal.tsx'
import { CLOSE } from '#ui/texts.ts'

type DialogProps = Omit<ModalProps, 'labelledBy' | 'height'> & {
  title: string
  /** Shown before the title, such as an avatar. */
  lead?: ReactNode
  subtitle?: ReactNode
}

export function Dialog({ title, lead, subtitle, children, ...modal }: DialogProps) {
  const titleId = useId()
  return (
    <Modal {...modal} labelledBy={titleId}>
      <div className="px-2 pb-[max(20px,var(--safe-bottom))] md:px-4">
        {/* The header stays visible while the content scrolls, except in a low window. */}
        <div className="sticky -top-4 z-1 -mx-2 flex items-center gap-3 bg-surface pt-6 pr-3 pb-2 pl-5 md:-mx-4 md:pt-5 md:pr-5 md:pl-7">
          {lead}
          <div className="min-w-0 grow">
            <h2 id={titleId} className="text-20 font-semibold wrap-anywhere">
              {title}
            </h2>
            {subtitle && <div className="mt-0.5 truncate text-13 text-text-3">{subtitle}</div>}
          </div>
          <IconButton icon={X} label={CLOSE} onClick={modal.onClose} />
        </div>
        {children}
      </div>
    </Modal>
  )
}
