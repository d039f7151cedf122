package validate_test

import (
	"path/filepath"
	"strings"
	"testing"

	"synchroscope/simulate"
	"synchroscope/simulate/scenario"
	"synchroscope/simulate/truth"
	"synchroscope/simulate/validate"
)

// TestOverflow: what a tracer lost that overflows while whole packets get lost, the first and the last ones too, is known as
// the truth says, and what is not known is not missed in the traces, whatever the seed.
func TestOverflow(t *testing.T) {
	const overflow = `scenario overflow "Overflow, lost packets and a cut"
duration 400ms
host d
  tracing subbuffer=4KiB subbuffers=2 rate=200kB wake=50ms loss=LOSS cut=CUT
host a
link a d
workload daemons activity=20
workload pingpong from=d to=a period=1ms
`
	seeds := uint64(30)
	if testing.Short() {
		seeds = 5
	}
	for _, options := range []struct{ loss, cut string }{{"5%", "yes"}, {"5%", "no"}, {"40%", "yes"}, {"40%", "no"}} {
		t.Run(options.loss+" "+options.cut, func(t *testing.T) {
			text := strings.NewReplacer("LOSS", options.loss, "CUT", options.cut).Replace(overflow)
			untold := int64(0)
			for seed := uint64(1); seed <= seeds; seed++ {
				s, err := scenario.Parse(strings.NewReader(text), "overflow", scenario.Options{Seed: seed})
				if err != nil {
					t.Fatal(err)
				}
				dir := filepath.Join(t.TempDir(), "out")
				if _, err := simulate.Run(t.Context(), s, simulate.Options{Seed: seed, Out: dir}); err != nil {
					t.Fatal(err)
				}
				report, err := validate.Dir(t.Context(), dir)
				if err != nil {
					t.Fatal(err)
				}
				said, err := truth.Read(dir)
				if err != nil {
					t.Fatal(err)
				}
				if lost := said.Counts().Lost; report.Lost != lost || !report.OK() {
					var b strings.Builder
					report.WriteTo(&b)
					t.Errorf("seed %d, where the truth says that %d events are lost:\n%s", seed, lost, b.String())
				}
				untold += said.Hosts[0].Traces[0].Untold
			}
			if untold == 0 {
				t.Error("the packets tell of all that was discarded: nothing was tried")
			}
		})
	}
}
