package simulatetest

import (
	"bytes"
	"encoding/hex"
	"regexp"
	"testing"
)

// Again is what the files of a trace with this metadata hold if a second session records the same at the same time: all of it, with a uuid of its own.
func Again(t testing.TB, metadata []byte) func(content []byte) []byte {
	t.Helper()
	text := regexp.MustCompile(`uuid = "([0-9a-f-]{36})"`).FindSubmatch(metadata)[1] // the trace's, ahead of the clock's
	uuid, err := hex.DecodeString(string(bytes.ReplaceAll(text, []byte("-"), nil)))
	if err != nil {
		t.Fatal(err)
	}
	otherText, other := append(bytes.Clone(text[:32]), "abcd"...), append(bytes.Clone(uuid[:14]), 0xab, 0xcd)
	return func(content []byte) []byte {
		return bytes.ReplaceAll(bytes.ReplaceAll(content, uuid, other), text, otherText)
	}
}
