// A message's text with web addresses as safe links.
import type { ReactNode } from 'react'
import { textPieces } from '#domain/message/message.ts'

export const LINK = 'font-medium text-on-primary-soft underline underline-offset-2'
/** The linked page gets no referrer and no access to this window. */
export const OUTSIDE = { target: '_blank', rel: 'noopener noreferrer nofollow' }

export function MessageText({ body, children }: { body: string; children: ReactNode }) {
  return (
    <p className="flow-root wrap-anywhere whitespace-pre-wrap">
      {textPieces(body).map(({ text, href }, index) =>
        href === null ? (
          text
        ) : (
          // The index is a stable key, because the parts of a text keep their order.
          <a key={index} href={href} {...OUTSIDE} className={LINK}>
            {text}
          </a>
        ),
      )}
      {children}
    </p>
  )
}
