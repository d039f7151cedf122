// The views of the page on the websocket, each with a number of its own: the newest request of a number is the one that counts,
// so two views that shared one would take each other's answers away.

export const VIEWS = {
  states: 1, // of the rows of Control flow
  statesAhead: 30, // beside the window and deeper, before they are asked for
  messages: 2,
  sought: 33, // a message that another page leads to
  renewed: 38, // the chosen message, by other clocks
  bundle: 39, // all messages of the bundle that the message of the address was chosen out of
  flows: 26, // the connections that have rows
  density: 3, // of the overview
  pointed: 4, // what the mouse rests on
  pixel: 34, // the pixel of Control flow that it rests on
  maker: 37, // who began the thread that sent what a wait was for
  selected: 5, // the selected state
  points: 6, // of the chosen link
  lanes: 21, // Resources, and the same ahead
  lanesAhead: 25,
  used: 36, // how much of the window's time CPUs were used
  ran: 22, // where the selected thread ran
  lanePointed: 23,
  lanePicked: 24,
  wakeups: 27, // of the rows on screen
  wakeupsOf: 35, // of the selected thread
  filter: 28,
  meanwhileStates: 19, // what went on while a thread waited
  meanwhileMessages: 20,
  efforts: 29, // what rows are sorted by
  alive: 7, // whether the server is there
  busy: 32, // which rows run
} as const;
