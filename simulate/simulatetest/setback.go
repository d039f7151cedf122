package simulatetest

// Setback is a scenario in which the clock of b is set back while it talks: half a second of its times stand for two moments.
const Setback = `
scenario setback "A clock is set back while its host talks"
duration 12s
host a
  clock uptime=1h rate=30
host b
  clock uptime=1h offset=5s
  step at=6003ms by=-500ms
switch rack
link {a,b} rack propagation=20us rate=1Gbps jitter=5us
workload pingpong from=a to=b period=5ms
workload pingpong from=b to=a protocol=udp period=10ms
`
