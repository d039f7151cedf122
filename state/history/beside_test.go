package history

import (
	"fmt"
	"strings"
	"testing"
)

// What is done beside panics where it was begun, and only when all have ended.
func TestBesidePanics(t *testing.T) {
	for wrong := range 3 {
		ended := make([]bool, 3)
		func() {
			defer func() {
				if p := fmt.Sprint(recover()); !strings.Contains(p, "no such block") || !strings.Contains(p, "TestBesidePanics") {
					t.Errorf("with %d wrong it panicked with %.300s", wrong, p)
				}
			}()
			beside(len(ended), func(i int) {
				if i == wrong {
					panic("no such block")
				}
				ended[i] = true
			})
		}()
		for i, is := range ended {
			if is == (i == wrong) {
				t.Errorf("with %d wrong, %d ended: %v", wrong, i, is)
			}
		}
	}
}
