package scenario

import (
	"encoding/json"
	"testing"
)

func indent(t *testing.T, s *Scenario) string {
	t.Helper()
	text, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	return string(text) + "\n"
}
