// A broker's first screen with what begins beside it, fetched as one part.
export { BrokerLayout } from '#routes/broker.tsx'
export { BrokerHomePage } from '#routes/broker-home.tsx'
export { beginWork } from './signed-in.ts'
