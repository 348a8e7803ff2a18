// A broker's displayed name, and valid usernames.
import { expect, it } from 'vitest'
import { type Broker, brokerLabel, displayName, onlyUsernameLetters, usernameFault } from '#domain/broker.ts'

it.each([
  ['corretor_camila', 'camila'],
  ['camila', 'camila'],
  ['corretor_corretor_ana', 'corretor_ana'],
  ['corretor_', 'Corretor'],
  ['corretor_ ', 'Corretor'],
  ['', 'Corretor'],
])('%s is labelled %s', (instanceName, label) => {
  expect(brokerLabel(instanceName)).toBe(label)
})

it.each([
  ['corretor_camila', 'Camila'],
  ['corretor_', 'Corretor'],
])('%s is shown as %s', (instanceName, name) => {
  expect(displayName(instanceName)).toBe(name)
})

it.each([
  ['camila', 'camila'],
  ['Camila', 'camila'],
  ['João Silva', 'joaosilva'],
  ['ÇÂNDIDA', 'candida'],
  ['ana maria 2', 'anamaria'],
  ['josé_à-b', 'joseab'],
  [' 123 ', ''],
])('of %j typed %j stays', (typed, stored) => {
  expect(onlyUsernameLetters(typed)).toBe(stored)
})

const camila: Broker = {
  id: '1',
  instanceName: 'corretor_camila',
  number: null,
  pictureUrl: null,
  state: 'open',
  changedAtMs: null,
  lostAtMs: null,
  hasPassword: true,
  seenAtMs: null,
  campaignCount: 0,
  seatCount: 0,
  isCentral: false,
  isActive: true,
}

it.each([
  ['', 'empty'],
  ['camila', 'taken'],
  ['camil', null],
])('the username %j is %s', (username, fault) => {
  expect(usernameFault(username, [camila])).toBe(fault)
})
