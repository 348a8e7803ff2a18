// The feed's page, loaded when it is first opened.
import { lazily } from '#ui/lazily.ts'

export const { Component: FeedPage } = lazily(async () => (await import('./feed-page.tsx')).FeedPage)
