// The words of a line, with the web addresses in them as links that cannot reach back.
import type { ReactNode } from 'react'
import { textPieces } from '#domain/message/message.ts'

export const LINK = 'font-medium text-on-primary-soft underline underline-offset-2'
/** Nothing of the portal goes along to a stranger's page. */
export const OUTSIDE = { target: '_blank', rel: 'noopener noreferrer nofollow' }

export function MessageText({ body, children }: { body: string; children: ReactNode }) {
  return (
    <p className="flow-root wrap-anywhere whitespace-pre-wrap">
      {textPieces(body).map(({ text, href }, index) =>
        href === null ? (
          text
        ) : (
          // The pieces of a text stay in their places.
          <a key={index} href={href} {...OUTSIDE} className={LINK}>
            {text}
          </a>
        ),
      )}
      {children}
    </p>
  )
}
